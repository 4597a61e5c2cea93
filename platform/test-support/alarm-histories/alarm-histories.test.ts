import { afterAll, beforeAll } from 'vitest'
import { testHistories } from '../histories/history.ts'
import { alarmHistory, openRig, type Rig } from './alarm-history.ts'

let rig: Rig
beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig.site.stop())

testHistories(
  'alarms, notified people, stocks and messages of random histories equal those of the model',
  alarmHistory(() => rig),
  { steps: 250, msMax: 300_000 },
)
