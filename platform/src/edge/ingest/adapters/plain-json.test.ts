import { plainTopic } from '@busbar/link'
import { expect, it } from 'vitest'
import { uplinkLimits } from '../../../modules/telemetry/index.ts'
import { localClock } from './local-time.ts'
import { readPlainMessage } from './plain-json.ts'

const readAlarms = (alarms: unknown) =>
  readPlainMessage(plainTopic.alarms, Buffer.from(JSON.stringify(alarms)), localClock('UTC'), Date.now())

it('the raw log reports that an alarm’s text was shortened or lost a NUL', () => {
  const long = 'x'.repeat(uplinkLimits.alarmTextBytesMax + 1)
  const uplink = readAlarms([
    { id: 'E1', state: 'raised', text: long },
    { id: 'E2', state: 'raised', text: { en: 'a\0b' } },
    { id: 'E3', state: 'raised', text: 'fine' },
  ])
  expect(uplink.records).toHaveLength(3)
  expect(uplink.notes).toEqual([expect.stringContaining('"E1"'), expect.stringContaining('"E2"')])
  expect(readAlarms({ id: 'E3', state: 'raised', text: 'fine' }).notes).toEqual([])
})

it('an alarm of a machine passed for one of the platform', () => {
  const uplink = readAlarms([
    { id: 'busbar/takeover', state: 'raised' },
    { id: 'bus\0bar/away', state: 'raised' },
    { id: 'busbar', state: 'raised' },
  ])
  expect(uplink.records).toMatchObject([{ key: 'busbar' }])
  const detail = "an alarm's id does not begin with busbar/, as those of the platform do"
  expect(uplink).toMatchObject({ verdict: 'partlyRefused', detail: `${detail}; ${detail}` })
  expect(readAlarms({ id: 'busbar/x', state: 'raised' })).toMatchObject({ verdict: 'unknownShape', detail })
})

it('an attribute named __proto__ is an attribute like others', () => {
  const uplink = readPlainMessage(
    plainTopic.attributes,
    Buffer.from('{"__proto__":{"a":1},"model":"M"}'),
    localClock('UTC'),
    0,
  )
  expect(JSON.stringify(uplink.records)).toContain('"__proto__":{"a":1}')
})
