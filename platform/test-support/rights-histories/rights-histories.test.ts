import { afterAll, beforeAll } from 'vitest'
import { testHistories } from '../histories/history.ts'
import { openRig, type Rig, rightsHistory } from './rights-history.ts'

let rig: Rig
beforeAll(async () => {
  rig = await openRig()
})
afterAll(() => rig.site.stop())

testHistories(
  'simultaneous changes of a machine’s rights by several people have the result of some order',
  rightsHistory(() => rig),
  { steps: 400, msMax: 300_000 },
)
