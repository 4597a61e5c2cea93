import type { TestPlatform, TestUser } from '@busbar/testkit'
import type { AlarmEvent } from '../../src/modules/alarms/index.ts'
import type { Random } from '../histories/random.ts'
import type { Cast } from './cast.ts'
import type { Seen } from './seen.ts'

/** Steps of a round, which are done at the same moment. Each names all it needs, so that a seed draws the same. */
export type Step =
  | { readonly kind: 'batch'; readonly machine: number; readonly events: readonly AlarmEvent[] }
  | { readonly kind: 'value'; readonly machine: number; readonly value: number; readonly at: number }
  | {
      readonly kind: 'confirm'
      readonly machine: number
      readonly user: TestUser
      readonly ids: readonly number[]
    }
  | {
      readonly kind: 'shelve'
      readonly machine: number
      readonly user: TestUser
      readonly alarm: number | undefined
      /** Undefined: out of service. */
      readonly until: number | undefined
    }
  | { readonly kind: 'unshelve'; readonly machine: number; readonly user: TestUser; readonly id: number }
  | {
      readonly kind: 'rule'
      readonly machine: number
      readonly user: TestUser
      readonly id?: number
      readonly limit: number
      readonly level: AlarmEvent['level']
    }
  | { readonly kind: 'removeRule'; readonly machine: number; readonly user: TestUser; readonly id: number }
  | { readonly kind: 'transfer'; readonly machine: number; readonly from: TestUser; readonly to: TestUser }
  | {
      readonly kind: 'right'
      readonly machine: number
      readonly userId: number
      readonly does: string
      run(): Promise<unknown>
    }
  | { readonly kind: 'stock'; readonly does: string; run(): Promise<unknown> }
  | { readonly kind: 'read'; readonly user: TestUser; readonly share: number }

/** The state from which a step is drawn. */
export interface Drawn {
  readonly site: TestPlatform
  readonly cast: Cast
  readonly seen: Seen
  readonly now: number
}

export interface Draw extends Drawn {
  readonly random: Random
}
