import type { Log } from '../../log.ts'
import type { Tag } from '../../tag.ts'
import type { TagTrouble } from '../driver.ts'

/** The most tags of one reason that are named in a line of the log. */
const namedTagsMax = 10

/** Why tags have no value. Each trouble is logged once, those with one reason together. */
export class TagTroubles {
  readonly #parts: { driver: string; name: string; tags: readonly Tag[]; log: Log }
  readonly #reasons = new Map<number, string>()
  /** Names of tags whose trouble is new, by its reason. */
  readonly #news = new Map<string, string[]>()
  #readableCount = 0

  constructor(parts: { driver: string; name: string; tags: readonly Tag[]; log: Log }) {
    this.#parts = parts
  }

  add(index: number, reason: string): void {
    if (this.#reasons.get(index) === reason) return
    this.#reasons.set(index, reason)
    const names = this.#news.get(reason) ?? []
    this.#news.set(reason, names)
    names.push((this.#parts.tags[index] as Tag).name)
  }

  remove(index: number): void {
    if (this.#reasons.delete(index)) this.#readableCount++
  }

  list(): TagTrouble[] {
    return [...this.#reasons].map(([index, reason]) => ({ index, reason }))
  }

  /** Logs what has changed since the last time. */
  tell(): void {
    const { driver, name, log } = this.#parts
    for (const [reason, names] of this.#news) {
      const tags = names.slice(0, namedTagsMax).join(', ')
      log('warn', 'controller.tagsRefused', { driver, connection: name, reason, count: names.length, tags })
    }
    if (this.#readableCount > 0)
      log('info', 'controller.tagsReadable', { driver, connection: name, count: this.#readableCount })
    this.#news.clear()
    this.#readableCount = 0
  }
}
