import { getPreferences, type Preferences } from './preferences.ts'

type Used = Pick<Preferences, 'eid' | 'deviceType'>

/** The default address after a sign-in: the devices of the space used last. */
export function homeAddress({ eid, deviceType = 0 }: Used = getPreferences()): string {
  return eid && deviceType ? `/device/?type=${deviceType}&eid=${eid}` : '/index/'
}
