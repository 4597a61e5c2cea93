import type { Recorder } from '../../kernel/facts/facts-store.ts'
import type { AlarmChange, ShelveChange } from './alarm-change.ts'

/** Records the changes of alarms as facts, in their transaction. */
export interface AlarmFacts {
  recordAll(recorder: Recorder, changes: readonly (AlarmChange | ShelveChange)[]): Promise<void>
}
