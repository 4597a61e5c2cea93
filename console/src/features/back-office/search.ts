import type { RawSearch } from '../../shared/session/search.ts'

export const backOfficeParts = [
  'overview',
  'scada',
  'machines',
  'machineTypes',
  'users',
  'enterprises',
  'brands',
  'outbox',
  'jobs',
  'audit',
] as const
export type BackOfficePart = (typeof backOfficeParts)[number]

/** The open section of the back office. */
export interface BackOfficeSearch {
  part?: BackOfficePart
}

export function backOfficeSearch(raw: RawSearch): BackOfficeSearch {
  const part = backOfficeParts.find((known) => known === raw.part)
  return part ? { part } : {}
}
