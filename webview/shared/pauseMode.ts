import { say } from './strings';

/** How a run was paused, as a sentence begins; a mode that is not known here is told as the job told it. */
export const pauseModeText = (mode: string): string => {
  switch (mode) {
    case 'step-boundary':
      return say('pauseAtBoundary');
    case 'drain':
      return say('pauseDrained');
    case 'now':
      return say('pauseNow');
    default:
      return mode;
  }
};
