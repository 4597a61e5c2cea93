import { platformAlarmPrefix } from '@busbar/contract'
import { uplinkLimits } from '../../../modules/telemetry/index.ts'

/** Why a machine's alarm cannot have this key; undefined: it can (rules/alarms.md: alarms of the platform). */
export function faultOfAlarmKey(key: string): string | undefined {
  if (key === '' || Buffer.byteLength(key) > uplinkLimits.alarmKeyBytesMax)
    return `an alarm's id is a text of 1 to ${uplinkLimits.alarmKeyBytesMax} bytes`
  if (key.startsWith(platformAlarmPrefix))
    return `an alarm's id does not begin with ${platformAlarmPrefix}, as those of the platform do`
  return undefined
}
