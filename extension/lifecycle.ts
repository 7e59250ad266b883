/** The part of lifecycle that VS Code has too, for code that must also run in a worker and in plain tests. */
export interface Disposable {
  dispose(): void;
}

/** Disposables that end together, last made first. What is added after the end is disposed at once. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.disposed = true;
    while (this.items.length > 0) this.items.pop()?.dispose();
  }
}

/** Announces something to its listeners. A listener that throws does not keep the others from being told. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private readonly onError: (error: unknown) => void = () => undefined) {}

  readonly event = (listener: (value: T) => void): Disposable => {
    const own = (value: T) => {
      listener(value);
    };
    this.listeners.add(own);
    return { dispose: () => this.listeners.delete(own) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

/** Lines for the log channel. Never holds tokens or model text. */
export interface Log {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
