export const BRIDGE: string;
export const BRIDGE_PYTHON: string;
export function prepareBridge(): Promise<void>;
