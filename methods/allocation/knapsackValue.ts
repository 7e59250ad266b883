/**
 * Knapsack-RL: value of n rollouts of a prompt with success probability p, the probability that the group has both
 * outcomes times the learning value of the prompt: (1 − p^n − (1−p)^n) · p (1−p)² (arXiv 2509.25849).
 */
export function knapsackValue(p: number, n: number): number {
  return (1 - p ** n - (1 - p) ** n) * p * (1 - p) ** 2;
}

/** Value of one more rollout at n: (p^n (1−p) + (1−p)^n p) · p (1−p)². It falls with n, so that greedy is optimal. */
export function knapsackGain(p: number, n: number): number {
  return (p ** n * (1 - p) + (1 - p) ** n * p) * p * (1 - p) ** 2;
}
