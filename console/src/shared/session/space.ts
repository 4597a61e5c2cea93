import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type Enterprise, enterprisesQuery } from './account-queries.ts'
import { getPreferences, updatePreferences, usePreferences } from './preferences.ts'
import { parseId } from './search.ts'

/** The personal space. */
const personalEid = 0

/** The list of devices opened last: personal, an enterprise's own, those it maintains. */
export type DeviceType = 0 | 1 | 2

/**
 * The space of an address: the personal lists belong to the person, enterprise pages name their enterprise,
 * other pages belong to the space used last.
 */
export function eidOf(
  pathname: string,
  inAddress: number | undefined,
  remembered: number | undefined,
): number {
  if (isPersonal(pathname)) return personalEid
  if (isOfAnySpace(pathname)) return inAddress ?? remembered ?? personalEid
  return (isOfEnterprises(pathname) ? inAddress || undefined : undefined) ?? remembered ?? personalEid
}

/** The personal list, and the answers to enterprises that want to maintain the person's devices. */
function isPersonal(pathname: string): boolean {
  return pathname.startsWith('/index') || pathname.startsWith('/maintenance')
}

function isOfEnterprises(pathname: string): boolean {
  return pathname.startsWith('/device') || pathname.startsWith('/enterprise')
}

/** The alarm centre, the data centre and projects belong to an enterprise, or with `eid=0` to the personal space. */
function isOfAnySpace(pathname: string): boolean {
  return ['/alarmCenter', '/dataCenter', '/project'].some((begin) => pathname.startsWith(begin))
}

/** The space an address names: 0 is the personal one. */
export function parseEid(value: unknown): number | undefined {
  return String(value) === String(personalEid) ? personalEid : parseId(value)
}

/**
 * The current enterprise; undefined in the personal space, and until it is known, by the platform or from the last
 * visit. An enterprise page opened without a number shows the first one.
 */
export function useSpace(): Enterprise | undefined {
  const { pathname, search } = useLocation()
  const { eid: remembered, lastMenu } = usePreferences()
  const { data: enterprises = lastMenu?.enterprise ? [lastMenu.enterprise] : [] } = useQuery(enterprisesQuery)
  const inAddress = parseEid((search as { eid?: unknown }).eid)
  const eid = eidOf(pathname, inAddress, remembered)
  const isUnsaid = isOfEnterprises(pathname) && !inAddress
  return enterprises.find((enterprise) => enterprise.eid === eid) ?? (isUnsaid ? enterprises[0] : undefined)
}

/** Remembers the current space and list of devices. */
export function rememberSpace(eid: number, deviceType: DeviceType): void {
  const known = getPreferences()
  if (known.eid === eid && known.deviceType === deviceType) return
  updatePreferences({ eid, deviceType })
}
