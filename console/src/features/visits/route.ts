import { parseOwnPath } from '../../shared/session/own-path.ts'
import { onlyKnown, parseId, parseText, type RawSearch } from '../../shared/session/search.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'

export interface VisitSearch {
  /** The machine's page to enter; without it the agent's own. */
  target?: string
}

/** The subject of a remote maintenance report; epoch milliseconds. Without a span it covers the last weeks. */
export interface VisitReportSearch {
  machineId?: number
  from?: number
  to?: number
}

export function visitSearch(raw: RawSearch): VisitSearch {
  const target = parseText(raw.target)
  return target ? { target } : {}
}

export function visitReportSearch(raw: RawSearch): VisitReportSearch {
  const [machineId, from, to] = [parseId(raw.machineId), parseId(raw.from), parseId(raw.to)]
  return { ...(machineId ? { machineId } : {}), ...(from && to ? { from, to } : {}) }
}

/** The way into a machine's page. */
export const visitScreen = {
  path: '/visit/$machineId',
  params: {
    parse: ({ machineId }: { machineId: string }) => {
      const id = parseId(machineId)
      return id === undefined ? (false as const) : { machineId: id }
    },
    stringify: ({ machineId }: { machineId: number }) => ({ machineId: String(machineId) }),
  },
  validateSearch: onlyKnown(visitSearch),
  staticData: { shape: 'detail' },
  component: lazyPart(() => import('./visit-page.tsx').then((module) => module.VisitPage)),
} as const

/** The platform's own answer, on the way to a machine; a sign-in comes back to it. */
export const authorizeScreen = {
  path: '/visit/authorize',
  beforeLoad: ({ location: wanted }: { location: { href: string } }): Promise<never> => {
    location.replace(parseOwnPath(wanted.href) ?? '/')
    return new Promise(() => {})
  },
} as const

export const visitReportScreen = {
  path: '/visitReport',
  validateSearch: onlyKnown(visitReportSearch),
  staticData: { shape: 'detail' },
  component: lazyPart(() => import('./visit-report-page.tsx').then((module) => module.VisitReportPage)),
} as const
