import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { troubleFirst } from '../../entities/machine/machine-order.ts'
import { enterpriseMachinesQuery, machineListQuery } from '../../entities/machine/machine-queries.ts'
import { useLang, useText } from '../../shared/i18n/language.ts'
import { enterprisesQuery, personQuery } from '../../shared/session/account-queries.ts'
import { keepParameters } from '../../shared/session/address.ts'
import { useSpace } from '../../shared/session/space.ts'
import { listActions } from './action-jumps.ts'
import { type Jump, machineJump } from './jumps.ts'
import { listPages } from './page-jumps.ts'

/** Everything that the palette can find, that of the present space first. */
export function useJumps(): readonly Jump[] {
  const text = useText()
  const lang = useLang()
  const navigate = useNavigate()
  const space = useSpace()
  const eid = space?.eid
  const { data: person } = useQuery(personQuery)
  const { data: enterprises } = useQuery(enterprisesQuery)
  const { data: own } = useQuery(machineListQuery(lang))
  const ofSpace = { enabled: eid !== undefined }
  const { data: owned } = useQuery({ ...enterpriseMachinesQuery(eid ?? 0, 1, lang), ...ofSpace })
  const { data: maintained } = useQuery({ ...enterpriseMachinesQuery(eid ?? 0, 2, lang), ...ofSpace })
  const { data: operatorText } = useQuery({
    queryKey: ['palette', 'operator', lang],
    queryFn: async () =>
      (
        await (lang === 'cn'
          ? import('../../shared/i18n/cn/operator.ts')
          : import('../../shared/i18n/en/operator.ts'))
      ).operatorText,
    enabled: person?.isOperator === true,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => {
    const go = (href: string) => void navigate({ href: keepParameters(href) })
    const machinesOf = (list: typeof own, place: string, href: string) =>
      troubleFirst(list?.list ?? []).map((machine) =>
        machineJump(machine, place, () => go(`${href}machine=${machine.id}`)),
      )
    const machines =
      space && eid !== undefined
        ? [
            ...machinesOf(owned, space.name, `/device/?type=1&eid=${eid}&`),
            ...machinesOf(maintained, space.name, `/device/?type=2&eid=${eid}&`),
          ]
        : []
    const personal = machinesOf(own, text.app.menu.personal, '/index/?')
    const shared = { text, go, enterprises: enterprises ?? [] }
    const lists = [owned, maintained, own].flatMap((one) => one?.list ?? [])
    const known = new Map(lists.map((machine) => [machine.id, machine]))
    return [
      ...listPages({ ...shared, eid, person, operatorText }),
      ...machines,
      ...personal,
      ...listActions({ ...shared, lang, machines: [...known.values()] }),
    ]
  }, [text, lang, navigate, space, eid, person, enterprises, own, owned, maintained, operatorText])
}
