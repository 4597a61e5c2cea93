import { afterAll, beforeAll } from 'vitest'
import { testHistories } from '../histories/history.ts'
import { openRig, placeHistory, type Rig } from './place-history.ts'

let rig: Rig | undefined
beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig?.stop())

testHistories(
  'places, refreshes, history and alarms of random histories equal those of the model',
  placeHistory(() => rig as Rig),
  { steps: 150, msMax: 300_000 },
)
