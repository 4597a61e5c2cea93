import type { BootTime } from './boot-times.ts'
import type { LostSpan } from './lost-spans.ts'
import type { Segment } from './segment.ts'
import type { ReadPiece } from './segment-reader.ts'

/** The place of samples on the disk: numbers of a segment, [from, to). */
export interface Place {
  segment: Segment
  from: number
  to: number
  /** The time of the last one, as written. */
  lastAt: number
}

/** Samples read, with their place. */
export interface DiskPiece extends Place, Omit<ReadPiece, 'from' | 'to'> {}

/** The receiver of a queue's reports about samples that it cannot keep. */
export interface LossReports {
  /** Samples are about to be given up; its promise is awaited before they are deleted. */
  onLost(lost: Omit<LostSpan, 'isTold'>, taken: BootTime | null): Promise<void>
  onDamaged(fields: { segment: number; bytes?: number; samples?: number; reason?: string }): void
}
