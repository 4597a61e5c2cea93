/** Listeners by the name of an event. `Events` maps each name to its event. */
export class Emitter<Events> {
  readonly #listeners: { [Name in keyof Events]?: Set<(event: Events[Name]) => void> } = {}

  /** Calls `listener` for each event of this name, until the given function is called. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const listeners = this.#listeners[name] ?? new Set()
    this.#listeners[name] = listeners
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  /** Calls the listeners in order of registration. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    for (const listener of this.#listeners[name] ?? []) listener(event)
  }
}
