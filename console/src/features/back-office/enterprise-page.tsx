import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { emptyMark, formatBytes, formatDate, formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { PageActs } from '../../shared/resource/acts.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { AuditSection } from './audit-section.tsx'
import { enterpriseActs } from './enterprises-section.tsx'
import { operatorActs } from './operator-list.tsx'
import { enterpriseQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import type { SubjectList } from './search.ts'
import { EnterpriseMachines, EnterpriseMembers } from './subject-lists.tsx'
import { SubjectPage, SubjectState } from './subject-page.tsx'

/** One enterprise: its owner, members, devices, functions and audit entries. */
export function EnterprisePage({ id, list }: { id: number; list: SubjectList | undefined }) {
  const all = useOperatorText()
  const { enterprises: t, pages } = all
  const query = useQuery(enterpriseQuery(id))
  const space = query.data
  if (!space) return <SubjectState part="enterprises" query={query} />
  return (
    <SubjectPage
      part="enterprises"
      id={id}
      name={space.name}
      tags={space.state !== 'active' && <Tag tone="bad">{t[space.state]}</Tag>}
      actions={<PageActs acts={enterpriseActs(all)} row={space} name={space.name} {...operatorActs} />}
      facts={[
        [t.columns.eid, id],
        [
          t.columns.owner,
          space.ownerUserId === null ? (
            emptyMark
          ) : (
            <Link key="owner" to="/backManage" search={{ part: 'users', id: space.ownerUserId }}>
              {space.owner}
            </Link>
          ),
        ],
        [t.columns.projects, space.enableProject ? t.on : t.off],
        [t.columns.members, formatNumber(space.members)],
        [t.columns.machines, formatNumber(space.machines)],
        [pages.platformName, space.platformName || pages.byBrand],
        [
          pages.storage,
          pages.storageOf(formatBytes(space.storage.bytes), formatBytes(space.storage.bytesMax)),
        ],
        [pages.timeZone, space.timeZone],
        [t.columns.created, formatDate(space.createdAt)],
        space.leavesAt !== null && [pages.leaves, formatExact(space.leavesAt)],
      ]}
      list={list}
      lists={{
        members: () => <EnterpriseMembers id={id} />,
        machines: () => <EnterpriseMachines id={id} />,
        audit: () => <AuditSection id="enterprise.audit" about={{ aboutEid: id }} />,
      }}
    />
  )
}
