import type { Sample, Tag, TagValue } from './tag.ts'

/** The origin of a write. */
export type WriteSource =
  | { kind: 'cloud' }
  /** The agent's own page: in a visit through the tunnel, or at the machine itself. */
  | { kind: 'page'; visit: string | null; user: string | null }

/** The result of a write: the controller's own word, then the value read back. */
export interface WriteResult {
  state: 'confirmed' | 'failed'
  /** The value the controller has now; null when it could not be read. */
  kept: TagValue | null
  /** Why the controller refused; empty if it did not. */
  error: string
}

/** Why a write was not attempted. */
export type WriteRefusal = 'unknownTag' | 'readOnly' | 'type' | 'range' | 'offline' | 'busy'

/** An alarm of the machine's own: a boolean tag that stands for trouble. */
export interface Alarm {
  tag: number
  id: string
  level: 'critical' | 'major' | 'minor' | 'info'
  text: { any?: string; cn?: string; en?: string }
  raised: boolean
  /** Epoch ms of the last change; null while never seen. */
  since: number | null
}

/**
 * The controllers as the agent's page and its line to the cloud see them. Tags count from 0 over all
 * connections.
 */
export interface Machine {
  code: string
  /** A number is one tag's while the agent runs; with a new configuration tags are added at the end. */
  tags: readonly Tag[]
  /** Whether the configuration no longer has a tag. Its number stays reserved for waiting samples. */
  isRemoved?(tag: number): boolean
  /** The newest sample of every tag that has one. */
  current(): Sample[]
  alarms(): Alarm[]
  /** Calls the listener for every changed reading; returns the function that stops it. */
  subscribe(listener: (samples: readonly Sample[]) => void): () => void
  /**
   * Writes a published value (scaled, as people see it) and reads it back; the read-back is published
   * immediately, whatever the deadband. Never rejects; one write at a time per connection.
   */
  write(tag: number, value: TagValue, source: WriteSource): Promise<WriteResult | { refused: WriteRefusal }>
}
