import { parseId, type RawSearch } from '../../shared/session/search.ts'

export const backOfficeParts = [
  'overview',
  'scada',
  'machines',
  'machineTypes',
  'users',
  'enterprises',
  'projects',
  'sims',
  'simPlans',
  'simCarriers',
  'brands',
  'tileSources',
  'outbox',
  'sms',
  'jobs',
  'audit',
] as const
export type BackOfficePart = (typeof backOfficeParts)[number]

/** The lists of a page of one person, machine or enterprise, in the order of its tabs. */
export const subjectLists = {
  users: ['machines', 'enterprises', 'sessions', 'visits', 'outbox', 'audit'],
  machines: ['holders', 'visits', 'audit'],
  enterprises: ['members', 'machines', 'audit'],
} as const
export type SubjectPart = keyof typeof subjectLists
export type SubjectList = (typeof subjectLists)[SubjectPart][number]

/** The open section of the back office. */
export interface BackOfficeSearch {
  part?: BackOfficePart
  /** The id of the person, machine or enterprise whose page is open. */
  id?: number
  /** The list that its page shows. */
  list?: SubjectList
}

export function backOfficeSearch(raw: RawSearch): BackOfficeSearch {
  const part = backOfficeParts.find((known) => known === raw.part)
  if (!part) return {}
  const id = parseId(raw.id)
  if (!isSubjectPart(part) || id === undefined) return { part }
  const list = subjectLists[part].find((known) => known === raw.list)
  return list ? { part, id, list } : { part, id }
}

/** Whether each row of a part has its own page. */
export const isSubjectPart = (part: BackOfficePart): part is SubjectPart => part in subjectLists
