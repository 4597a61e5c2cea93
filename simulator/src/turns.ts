/** Limits how many do a heavy task at the same time; first come, first served. */
export interface Turns {
  /** Resolves when the turn comes; call the resolved function when done. */
  take(): Promise<() => void>
}

export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = []
  let taken = 0
  const release = (): void => {
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
  return {
    async take() {
      if (taken < atOnce) taken += 1
      else await new Promise<void>((resume) => waiting.push(resume))
      return release
    },
  }
}
