import { access } from '@busbar/contract'
import { useMemo } from 'react'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { type Act, calls } from '../../shared/resource/acts.tsx'
import { useAdministration } from './administration.ts'

interface Person {
  readonly userId: number
  readonly name: string
}

/** The rights of a person on the machine: of a visitor also those of their time. */
interface Grant {
  readonly id: number
  readonly visitTimeId?: number
}

/** The acts of a key on a person, in every section. `grantOf`: the person's right, where an act changes that. */
export function usePersonActs<P extends Person>(grantOf: (person: P) => Grant | undefined) {
  const { machineId } = useAdministration()
  const { confirm, bulk, visitors, bkeys, blacklist, undo } = useText().access
  return useMemo(() => {
    const timeOf = (person: P) => grantOf(person)?.visitTimeId ?? 0
    const levelOf = (limit: 0 | 2) => (person: P) => ({ id: grantOf(person)?.id ?? 0, limit })
    const of = ({ userId }: Person) => ({ deviceId: machineId, userId })

    const question = (name: 'end' | 'remove' | 'raise' | 'propose' | 'lower' | 'block') => ({
      asks: {
        title: (person: P) => confirm[name].title(person.name),
        body: confirm[name].body,
        action: confirm[name].action,
      },
      done: (person: P) => confirm[name].done(person.name),
    })
    const several = (name: 'end' | 'remove' | 'lower' | 'block') => {
      const { asks, done } = question(name)
      const body = (rows: readonly P[]) => (rows.length === 1 ? confirm[name].body : bulk.bodies[name])
      return { asks: { ...asks, body, many: bulk.titles[name] }, done, doneMany: () => bulk.done }
    }

    return {
      end: {
        ...calls(access.endVisitTime, (person: P) => ({
          visitAlidTimeID: timeOf(person),
          machineID: machineId,
        })),
        ...several('end'),
        label: visitors.end,
        look: 'default',
      },
      remove: {
        ...calls(access.removeVisitor, (person: P) => ({ visitTimeId: timeOf(person) })),
        ...several('remove'),
        label: visitors.remove,
        icon: 'trash',
        place: 'menu',
      },
      raise: {
        ...calls(access.updateLevel, levelOf(2)),
        ...question('raise'),
        label: visitors.raise,
        danger: false,
        icon: 'key',
        place: 'menu',
      },
      propose: {
        ...calls(access.updateLevel, levelOf(2)),
        ...question('propose'),
        label: visitors.propose,
        danger: false,
        icon: 'key',
        place: 'menu',
      },
      lower: { ...calls(access.updateLevel, levelOf(0)), ...several('lower'), label: bkeys.lower },
      block: {
        ...calls(access.addToBlacklist, of),
        ...several('block'),
        label: visitors.block,
        icon: 'ban',
        danger: true,
        place: 'menu',
      },
      /** Can be undone, so that only several people are asked about. */
      lift: {
        ...calls(access.removeFromBlacklist, of),
        label: blacklist.lift,
        danger: false,
        asks: { many: bulk.titles.lift, body: bulk.bodies.lift },
        done: ({ name }) => undo.lifted(name),
        doneMany: () => bulk.done,
        undo: (person) => call(access.addToBlacklist, of(person)),
      },
    } satisfies Record<string, Act<P>>
  }, [machineId, grantOf, confirm, bulk, visitors, bkeys, blacklist, undo])
}
