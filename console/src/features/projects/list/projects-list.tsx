import { mayInEnterprise } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { permissionQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import type { Project } from '../../../entities/project/project.ts'
import { type ProjectSpace, projectListQuery } from '../../../entities/project/project-queries.ts'
import { useProjectsText } from '../../../entities/project/projects-text.ts'
import { QuotaBar } from '../../../entities/project/quota-bar.tsx'
import { stateTones } from '../../../entities/project/state-tones.ts'
import { emptyMark } from '../../../shared/i18n/index.ts'
import { formatLasts } from '../../../shared/i18n/time-span.ts'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import { CreateProjectDialog } from './create-project-dialog.tsx'

/** Behind by less than this counts as in time. Milliseconds. */
const inTimeMs = 1_000

const accepted = (found: readonly Project[]) => found.filter(({ invitedBy }) => invitedBy === null)

/** The projects of a space in which the person takes part. */
export function ProjectsList({ space }: { space: ProjectSpace }) {
  const text = useProjectsText()
  const t = text.list
  const navigate = useNavigate()
  const open = (id: number) =>
    void navigate({ to: '/project/$id/{-$part}', params: { id, part: 'overview' } })
  const { eid } = space
  const { data: permission } = useQuery({ ...permissionQuery(eid ?? 0), enabled: eid !== undefined })
  const mayCreate = eid === undefined || mayInEnterprise(permission, 'project')
  return (
    <List
      id="projects"
      title={space.type ? text.types[space.type] : text.title}
      isTitleHidden
      rows={whole(projectListQuery(space), accepted)}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: {
          kind: 'name',
          value: 'name',
          minor: ({ description }) => description,
          grow: 2,
        },
        state: {
          kind: 'state',
          value: 'state',
          words: text.states,
          tones: stateTones,
          filter: 'several',
          width: 150,
          rank: 1,
        },
        machines: { kind: 'count', value: 'machines', width: 90, rank: 4 },
        quota: {
          kind: 'count',
          value: 'rowsLeft',
          cell: ({ rowsMax, rowsLeft }) => <QuotaBar rowsMax={rowsMax} rowsLeft={rowsLeft} />,
          width: 210,
          grow: 1,
          rank: 2,
          card: 'plain',
        },
        lag: {
          kind: 'count',
          value: 'lagMs',
          words: (lagMs) => (lagMs < inTimeMs ? t.inTime : formatLasts(lagMs)),
          width: 110,
          rank: 3,
        },
        worst: {
          kind: 'text',
          value: ({ worstTarget }) => worstTarget ?? emptyMark,
          rank: 6,
        },
        owner: { kind: 'text', value: 'owner', rank: 5 },
        created: { kind: 'time', value: 'createdAt', as: 'day', rank: 7, isHiddenFirst: true },
      }}
      search={t.search}
      isSelectable={false}
      onOpen={({ id }) => open(id)}
      add={
        mayCreate && {
          label: t.add,
          opens: (close) => <CreateProjectDialog space={space} onClose={close} onCreated={open} />,
        }
      }
      empty={{ icon: 'transfer', title: t.empty, hint: mayCreate ? t.emptyHint : t.emptyMember }}
    />
  )
}
