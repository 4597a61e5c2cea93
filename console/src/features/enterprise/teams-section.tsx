import { enterprises, mayCall } from '@busbar/contract'
import type { ReactNode } from 'react'
import { spaceKey, type Team, teamsQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import type { SectionProps } from './manage-section.ts'
import { TeamDialog } from './team-dialog.tsx'

/** Teams and the devices they look after. */
export function TeamsSection({ space: { eid }, permission }: SectionProps): ReactNode {
  const { manage } = useText().enterprises
  const t = manage.teams
  const dialog = (close: () => void, team?: Team) => <TeamDialog eid={eid} team={team} onClose={close} />
  return (
    <List
      id="enterprise.teams"
      title={manage.tabs.teams}
      lead={mayCall(enterprises.createTeam, permission) ? undefined : manage.adminOnly}
      rows={whole(teamsQuery(eid))}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: {
          kind: 'name',
          value: 'name',
          minor: ({ members, machines }) => t.counts(members.length, machines.length),
        },
        kind: { kind: 'state', value: 'kind', words: t.kinds, filter: 'several', card: 'plain' },
        people: {
          kind: 'text',
          value: ({ members }) => members.map(({ name }) => name).join(' · '),
          grow: 2,
          card: 'plain',
        },
        devices: { kind: 'count', value: ({ machines }) => machines.length, card: 'none' },
      }}
      search={t.search}
      isExported
      permission={permission}
      touched={[spaceKey(eid)]}
      add={{ label: t.add, route: enterprises.createTeam, opens: dialog }}
      opens={mayCall(enterprises.updateTeam, permission) && dialog}
      acts={[
        {
          label: t.edit(''),
          icon: 'edit',
          of: ({ name }) => t.edit(name),
          route: enterprises.updateTeam,
          opens: dialog,
        },
        {
          ...calls(enterprises.removeTeam, ({ id }: Team) => ({ eid, id })),
          label: t.remove,
          icon: 'trash',
          of: ({ name }) => t.removeTitle(name),
          asks: { title: ({ name }) => t.removeTitle(name), many: t.removeMany, body: t.removeBody },
          done: ({ name }) => t.removed(name),
          doneMany: t.removedMany,
        },
      ]}
      empty={{ icon: 'user', title: t.empty, hint: t.emptyHint }}
    />
  )
}
