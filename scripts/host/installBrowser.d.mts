/** @returns path of a Chromium: the one in CHROME, an installed one, or one installed now */
export function installBrowser(): Promise<string>;
