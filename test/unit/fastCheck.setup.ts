import fc from 'fast-check';

// On CI the draws are the same every time, so that a change is judged and not the luck of the day; elsewhere they
// are new in every run.
if (process.env['CI'] !== undefined) fc.configureGlobal({ seed: 20_261_130 });
