import type { Route } from '@busbar/contract'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useProof } from '../../entities/account/use-proof.tsx'
import { List, type ListProps } from '../../shared/resource/list.tsx'
import { type Fixed, type PageOptions, pages } from '../../shared/resource/rows.ts'
import { operatorKey } from './operator-queries.ts'
import type { SubjectPart } from './search.ts'

/** The effects of acts of operators: they change any list of the back office, and may need the operator's password. */
export const operatorActs = { touched: [operatorKey], useProof } as const

/** The rows of a list of the back office. */
export const operatorPages = <R extends Route>(route: R, fixed: Fixed<R>, options: PageOptions = {}) =>
  pages(route, fixed, { under: operatorKey, ...options })

/** A list of the back office, which can be saved as a file. */
export function OperatorList<Row, Request, Id extends string>(props: ListProps<Row, Request, Id>) {
  return <List isExported {...operatorActs} {...props} />
}

/** Opens the page of a person, a machine or an enterprise. */
export function useOpenSubject() {
  const navigate = useNavigate()
  return useCallback(
    (part: SubjectPart, id: number) => void navigate({ to: '/backManage', search: { part, id } }),
    [navigate],
  )
}
