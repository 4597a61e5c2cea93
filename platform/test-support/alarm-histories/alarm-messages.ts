import { type Round, Shares } from './check-round.ts'
import { isTold } from './rights.ts'

/** The messages of alarms that people have not read: one for each alarm and person. */
export class AlarmMessages {
  readonly #unread = new Set<string>()

  /** The messages that came and were read in a round; with both at once either may remain. */
  check(round: Round): string[] {
    const { after, steps, outcomes } = round
    const shares = new Shares(round)
    const faults: string[] = []
    const may = new Set<string>()
    for (const note of after.notes) {
      if (note.channel !== 'message' || note.state !== 'sent') continue
      const key = `${note.alarm}/${note.user}`
      this.#unread.add(key)
      may.add(key)
      if (!shares.may(note.machine, note.user, isTold)) faults.push(`a message without a right: ${key}`)
    }
    // Confirming reads the message of the person who confirms.
    for (const { kind, alarm, user } of after.facts)
      if (kind === 'alarm.confirmed') this.#unread.delete(`${alarm}/${user}`)
    const seen = new Set(after.unread)
    const read = new Map<number, number>()
    for (const [place, step] of steps.entries()) {
      if (step.kind !== 'read' || outcomes[place]?.refused) continue
      const { userId } = step.user
      const count = (outcomes[place]?.answer as { read: number } | undefined)?.read ?? 0
      read.set(userId, (read.get(userId) ?? 0) + count)
    }
    for (const [userId, count] of read) {
      const own = [...this.#unread].filter((key) => key.endsWith(`/${userId}`))
      const gone = own.filter((key) => !seen.has(key))
      // Each missing one was read by this person, who got their number.
      const isCertain = !own.some((key) => may.has(key)) && !this.#confirms(round, userId)
      if (gone.length > count || (isCertain && gone.length < count))
        faults.push(`${userId} read ${count}, and ${gone.length} are gone`)
      for (const key of gone) this.#unread.delete(key)
    }
    for (const key of this.#unread)
      if (!seen.has(key)) faults.push(`the message ${key} is gone, and nobody read it`)
    for (const key of seen)
      if (!this.#unread.has(key)) faults.push(`the message ${key} is unread, and was read`)
    return faults
  }

  #confirms({ after }: Round, userId: number): boolean {
    return after.facts.some(({ kind, user }) => kind === 'alarm.confirmed' && user === userId)
  }

  countOf(userId: number): number {
    return [...this.#unread].filter((key) => key.endsWith(`/${userId}`)).length
  }
}
