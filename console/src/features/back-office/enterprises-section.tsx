import { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { type Act, calls } from '../../shared/resource/acts.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { OperatorList, operatorPages, useOpenSubject } from './operator-list.tsx'
import { type OperatorText, useOperatorText } from './operator-text.ts'

type Enterprise = Pick<operator.EnterpriseRow, 'eid' | 'name' | 'state' | 'enableProject'>

const namesOf = (enterprises: readonly Enterprise[]) => enterprises.map(({ name }) => name).join(', ')

/** The acts of an operator on enterprises. */
export function enterpriseActs(all: OperatorText): readonly Act<Enterprise>[] {
  const { enterprises: t, bulk, done } = all
  const setState = (wished: 'active' | 'locked') => ({
    ...calls(operator.updateEnterprise, ({ eid }: Enterprise) => ({ eid, state: wished })),
    fits: ({ state }: Enterprise) => (state === 'locked') !== (wished === 'locked'),
    done,
  })
  const setProjects = (enableProject: boolean) => ({
    ...calls(operator.updateEnterprise, ({ eid }: Enterprise) => ({ eid, enableProject })),
    fits: (enterprise: Enterprise) => enterprise.enableProject !== enableProject,
    done,
  })
  return [
    {
      ...setProjects(true),
      label: t.projectsOn,
      place: 'menu',
    },
    {
      ...setProjects(false),
      label: t.projectsOff,
      place: 'menu',
      asks: {
        title: ({ name }) => t.confirmProjectsOff(name),
        many: (count) => bulk(t.projectsOff, count),
        body: t.confirmProjectsOffBody,
      },
    },
    {
      ...setState('locked'),
      label: t.lock,
      asks: {
        title: ({ name }) => t.confirmLock(name),
        many: (count) => bulk(t.lock, count),
        body: t.confirmLockBody,
      },
    },
    {
      ...setState('active'),
      label: t.unlock,
      danger: false,
      asks: { title: () => t.unlock, many: (count) => bulk(t.unlock, count), body: namesOf },
    },
  ]
}

/** Every enterprise. */
export function EnterprisesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.enterprises
  const open = useOpenSubject()
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
        projects: {
          kind: 'text',
          value: ({ enableProject }) => (enableProject ? t.on : t.off),
          width: 90,
          grow: 0,
          rank: 8,
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
      }}
      search={t.search}
      onOpen={({ eid }) => open('enterprises', eid)}
      acts={enterpriseActs(all)}
      empty={{ icon: 'group', title: t.empty }}
    />
  )
}
