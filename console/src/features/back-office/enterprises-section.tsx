import { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { call } from '../../shared/api/client.ts'
import { type Act, calls } from '../../shared/resource/acts.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { useAct } from '../../shared/ui/use-act.ts'
import { OperatorList, operatorActs, operatorPages, useOpenSubject } from './operator-list.tsx'
import { type OperatorText, useOperatorText } from './operator-text.ts'

type Enterprise = Pick<operator.EnterpriseRow, 'eid' | 'name' | 'state' | 'enableProject'>

const namesOf = (enterprises: readonly Enterprise[]) => enterprises.map(({ name }) => name).join(', ')

/** The acts of an operator on enterprises. */
export function enterpriseActs(
  all: OperatorText,
): Readonly<Record<'projects' | 'lock', readonly Act<Enterprise>[]>> {
  const { enterprises: t, pages, bulk, done } = all
  const update = (change: { state?: 'active' | 'locked'; enableProject?: boolean }) => ({
    ...calls(operator.updateEnterprise, ({ eid }: Enterprise) => ({ eid, ...change })),
    done,
  })
  const named = (label: string) => ({
    label,
    danger: false,
    asks: { title: () => label, many: (count: number) => bulk(label, count), body: namesOf },
  })
  return {
    projects: [
      { ...update({ enableProject: true }), ...named(pages.openProjects), fits: (row) => !row.enableProject },
      {
        ...update({ enableProject: false }),
        ...named(pages.closeProjects),
        fits: (row) => row.enableProject,
      },
    ],
    lock: [
      {
        ...update({ state: 'locked' }),
        label: t.lock,
        fits: ({ state }) => state !== 'locked',
        asks: {
          title: ({ name }) => t.confirmLock(name),
          many: (count) => bulk(t.lock, count),
          body: t.confirmLockBody,
        },
      },
      { ...update({ state: 'active' }), ...named(t.unlock), fits: ({ state }) => state === 'locked' },
    ],
  }
}

/** Every enterprise, and the functions it may use. */
export function EnterprisesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.enterprises
  const { projects, lock } = enterpriseActs(all)
  const open = useOpenSubject()
  const { mutate, isPending } = useAct<{ eid: number; enableProject: boolean }>({
    call: (wished) => call(operator.updateEnterprise, wished),
    done: all.done,
    touched: operatorActs.touched,
  })
  const tag = (word: string) => <Tag tone="bad">{word}</Tag>
  return (
    <OperatorList
      id="operator.enterprises"
      title={all.parts.enterprises}
      lead={t.lead}
      rows={operatorPages(operator.listEnterprises, {})}
      rowKey="eid"
      titles={t.columns}
      columns={{
        name: {
          kind: 'name',
          value: 'name',
          order: 'name',
          grow: 2,
          tags: ({ state }) => state !== 'active' && tag(t[state]),
        },
        eid: {
          kind: 'text',
          value: 'eid',
          order: 'createdAt',
          width: 80,
          grow: 0,
          rank: 7,
          cell: ({ eid }) => eid,
        },
        owner: { kind: 'text', value: 'owner', rank: 3 },
        members: { kind: 'count', value: 'members', rank: 4 },
        machines: { kind: 'count', value: 'machines', rank: 5 },
        created: { kind: 'time', value: 'createdAt', as: 'day', order: 'createdAt', rank: 6 },
        projects: {
          kind: 'count',
          value: ({ enableProject }) => Number(enableProject),
          rank: 2,
          cell: ({ eid, name, enableProject }) => (
            <Switch
              label={t.projectsOf(name)}
              checked={enableProject}
              disabled={isPending}
              onChange={(wished) => mutate({ eid, enableProject: wished })}
            />
          ),
        },
      }}
      search={t.search}
      onOpen={({ eid }) => open('enterprises', eid)}
      acts={[...lock, ...projects.map((act) => ({ ...act, place: 'bulk' as const }))]}
      empty={{ icon: 'group', title: t.empty }}
    />
  )
}
