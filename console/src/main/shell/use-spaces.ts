import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Enterprise, enterprisesQuery } from '../../shared/session/account-queries.ts'
import { rememberSpace, useSpace } from '../../shared/session/space.ts'

interface Spaces {
  /** The current enterprise; undefined in the personal space. */
  readonly space: Enterprise | undefined
  readonly enterprises: readonly Enterprise[]
  /** Goes to the devices of a space; 0 is the personal one. */
  readonly enter: (eid: number) => void
}

/** The spaces that the person may open. */
export function useSpaces(): Spaces {
  const navigate = useNavigate()
  const space = useSpace()
  const { data: enterprises = [] } = useQuery(enterprisesQuery)
  function enter(eid: number) {
    rememberSpace(eid, eid ? 1 : 0)
    if (eid) void navigate({ to: '/device/', search: { type: 1, eid } })
    else void navigate({ to: '/index/' })
  }
  return { space, enterprises, enter }
}
