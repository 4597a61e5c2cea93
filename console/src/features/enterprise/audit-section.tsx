import { enterprises } from '@busbar/contract'
import type { ReactNode } from 'react'
import { spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { List } from '../../shared/resource/list.tsx'
import { pages } from '../../shared/resource/rows.ts'
import type { SectionProps } from './manage-section.ts'

type Entry = enterprises.EnterpriseAuditEntry

/** Acts in an enterprise and on its devices, newest first; entries are never changed. */
export function AuditSection({ space: { eid } }: SectionProps): ReactNode {
  const { account, enterprises: words } = useText()
  const t = words.manage.audit
  const actions = account.safety.actions
  const actionOf = ({ action }: Entry) => actions[action] ?? action
  const roleOf = ({ role }: Entry) =>
    enterprises.enterpriseRoles.filter((known) => known === role).map((known) => words.roles[known])
  const detailOf = (entry: Entry) =>
    [
      ...entry.people,
      ...entry.machines,
      ...roleOf(entry),
      ...entry.rights.map((right) => words.rights[right]),
    ].join(' · ')
  return (
    <List
      id="enterprise.audit"
      title={words.manage.tabs.audit}
      lead={t.lead}
      rows={pages(
        enterprises.listEnterpriseAudit,
        { eid },
        { under: spaceKey(eid), countedMax: enterprises.enterpriseAuditCountedMax },
      )}
      rowKey="id"
      titles={t.columns}
      columns={{
        at: { kind: 'time', value: 'at', order: 'at', between: ['from', 'to'], rank: 1, card: 'plain' },
        actor: {
          kind: 'text',
          value: ({ actor, actorUserId }) =>
            actor || (actorUserId === null ? t.platform : t.gone(actorUserId)),
          rank: 2,
          card: 'plain',
        },
        action: { kind: 'text', value: actionOf, grow: 1.2, rank: 0, card: 'name' },
        target: {
          kind: 'text',
          value: 'target',
          minor: ({ machineCode, target }) => machineCode !== target && machineCode,
          csv: ({ machineCode, target }) =>
            machineCode === target ? target : `${target} ${machineCode}`.trim(),
          rank: 3,
          card: 'plain',
        },
        detail: { kind: 'text', value: detailOf, grow: 1.2, rank: 4, card: 'plain' },
      }}
      search={t.search}
      isExported
      isRefreshed
      empty={{ icon: 'shield', title: t.empty }}
    />
  )
}
