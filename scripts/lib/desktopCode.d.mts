type Variables = Readonly<Record<string, string | undefined>>;

export function findDesktopCode(env: Variables, platform: string): string | undefined;

export function desktopEnv(env: Variables, runtimeDir: string): Record<string, string | undefined>;
