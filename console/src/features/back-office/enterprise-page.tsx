import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { emptyMark, formatBytes, formatDate, formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { AuditTable } from './audit-section.tsx'
import { lockEnterpriseAct, projectsAct } from './enterprise-acts.ts'
import { useOperatorText } from './operator-text.ts'
import type { SubjectList } from './search.ts'
import { EnterpriseMachines, EnterpriseMembers } from './subject-lists.tsx'
import { SubjectPage, SubjectState } from './subject-page.tsx'
import { enterpriseQuery } from './subject-queries.ts'

/** One enterprise: its owner, members, devices, functions and audit entries. */
export function EnterprisePage({ id, list }: { id: number; list: SubjectList | undefined }) {
  const all = useOperatorText()
  const { enterprises: t, pages } = all
  const query = useQuery(enterpriseQuery(id))
  const [act, setAct] = useState<Act>()
  const space = query.data
  if (!space) return <SubjectState part="enterprises" query={query} />
  const states = { active: '', locked: t.locked, leaving: t.leaving }
  const isLocked = space.state === 'locked'
  return (
    <>
      <SubjectPage
        part="enterprises"
        id={id}
        name={space.name}
        tags={states[space.state] && <Tag tone="bad">{states[space.state]}</Tag>}
        actions={
          <>
            <Button onClick={() => setAct(projectsAct(all, space))}>
              {space.enableProject ? pages.closeProjects : pages.openProjects}
            </Button>
            <Button onClick={() => setAct(lockEnterpriseAct(all, space))}>
              {isLocked ? t.unlock : t.lock}
            </Button>
          </>
        }
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
          [t.columns.members, formatNumber(space.members)],
          [t.columns.machines, formatNumber(space.machines)],
          [t.columns.projects, space.enableProject ? pages.on : pages.off],
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
          audit: () => <AuditTable id="enterprise.audit" about={{ aboutEid: id }} isTitleHidden />,
        }}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
    </>
  )
}
