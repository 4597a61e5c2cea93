import { type Duplex, pipeline } from 'node:stream'

/** Passes bytes both ways until both are done; what breaks one ends the other. */
export function joinStreams(one: Duplex, other: Duplex): void {
  const end = (error: Error | null | undefined): void => {
    if (!error) return
    one.destroy()
    other.destroy()
  }
  pipeline(one, other, end)
  pipeline(other, one, end)
}
