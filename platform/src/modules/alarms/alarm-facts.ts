import type { Recorder } from '../../kernel/facts/facts-store.ts'
import type { AlarmChange, ShelveChange } from './alarm-change.ts'

/** Records what changed of alarms as facts, in the transaction in which it does. */
export interface AlarmFacts {
  recordAll(recorder: Recorder, changes: readonly (AlarmChange | ShelveChange)[]): Promise<void>
}
