// What this browser remembers, or one tab of it. A browser may refuse to; then
// defaults serve.

export function load<T extends object>(key: string, defaults: T): T {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return defaults;
    const known = Object.entries(stored).filter(
      ([name, value]) => name in defaults && typeof value === typeof defaults[name as keyof T],
    );
    return { ...defaults, ...Object.fromEntries(known) };
  } catch {
    return defaults;
  }
}

export function save(key: string, value: object): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private mode or a full disk: it is forgotten with the page.
  }
}

/** Whether this tab has something to remember; a reload keeps it. */
export function noted(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

export function note(key: string, on: boolean): void {
  try {
    if (on) sessionStorage.setItem(key, '');
    else sessionStorage.removeItem(key);
  } catch {
    // As above.
  }
}
