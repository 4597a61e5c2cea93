import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { enterpriseMachinesQuery, machineListQuery } from '../../entities/machine/machine-queries.ts'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { enterprisesQuery } from '../../shared/session/account-queries.ts'
import css from './message-pane.module.css'

const deviceTypes = [1, 2] as const

/**
 * The link to a machine in the reader's own list, or in that of an enterprise they belong to. Renders nothing
 * if the machine is in no such list, for example before its transfer is accepted.
 */
export function MachineWay({ machineId }: { machineId: number }) {
  const t = useText().messages
  const { isOwn, place } = useMachinePlace(machineId)
  if (place)
    return (
      <Link to="/device/" search={{ ...place, machine: machineId }} className={css.way}>
        {t.openMachine}
      </Link>
    )
  if (!isOwn) return null
  return (
    <Link to="/index/" search={{ machine: machineId }} className={css.way}>
      {t.openMachine}
    </Link>
  )
}

/** Whether the personal list has the machine; if not, the enterprise whose list has it. */
function useMachinePlace(machineId: number) {
  const lang = useLang()
  const own = useQuery(machineListQuery(lang)).data?.list
  const isOwn = own?.some(({ id }) => id === machineId) ?? false
  const isElsewhere = own !== undefined && !isOwn
  const { data: enterprises = [] } = useQuery({ ...enterprisesQuery, enabled: isElsewhere })
  const places = isElsewhere
    ? enterprises.flatMap(({ eid }) => deviceTypes.map((type) => ({ eid, type })))
    : []
  const lists = useQueries({
    queries: places.map(({ eid, type }) => ({
      ...enterpriseMachinesQuery(eid, type, lang),
      refetchInterval: false as const,
    })),
  })
  const place = places.find((_, at) => lists[at]?.data?.list.some(({ id }) => id === machineId))
  return { isOwn, place }
}
