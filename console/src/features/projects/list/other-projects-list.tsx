import { projects } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { permissionQuery } from '../../../entities/enterprise/enterprise-queries.ts'
import { otherProjectsQuery, projectsKey } from '../../../entities/project/project-queries.ts'
import { useProjectsText } from '../../../entities/project/projects-text.ts'
import { calls } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import { Tag } from '../../../shared/ui/tag.tsx'

interface OtherProjectsListProps {
  eid: number
  type: projects.ProjectType
}

/** The projects of an enterprise in which the person takes no part: whose they are, and which have nobody left. */
export function OtherProjectsList({ eid, type }: OtherProjectsListProps) {
  const t = useProjectsText().others
  const { data: permission } = useQuery(permissionQuery(eid))
  const isOwner = permission?.role === 'owner'
  return (
    <List
      id="projects.others"
      title={t.title}
      lead={t.lead}
      rows={whole(otherProjectsQuery(eid, type))}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: { kind: 'name', value: 'name', minor: ({ description }) => description },
        owner: {
          kind: 'text',
          value: 'owner',
          minor: ({ ownerLeft }) => ownerLeft && <Tag tone="warn">{t.left}</Tag>,
          rank: 1,
        },
        state: {
          kind: 'text',
          value: ({ isReporting }) => (isReporting ? t.on : t.off),
          width: 90,
          grow: 0,
          rank: 4,
        },
        machines: { kind: 'count', value: 'machines', rank: 3 },
        people: { kind: 'count', value: 'people', rank: 5 },
      }}
      touched={[projectsKey]}
      isSelectable={false}
      isHiddenWhile="empty"
      hasKeys={false}
      acts={
        isOwner
          ? [
              {
                ...calls(projects.takeProjectOver, ({ id }: { id: number }) => ({ id })),
                label: t.takeOver,
                danger: false,
                fits: ({ ownerLeft }) => ownerLeft,
                asks: { title: ({ name }) => t.takeTitle(name), body: t.takeBody },
                done: ({ name }) => t.taken(name),
              },
            ]
          : []
      }
      empty={{ icon: 'transfer', title: t.title }}
    />
  )
}
