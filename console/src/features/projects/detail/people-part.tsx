import { projects } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useProof } from '../../../entities/account/use-proof.tsx'
import { PersonField } from '../../../entities/person/person-field.tsx'
import {
  emptyPerson,
  findPersonProblem,
  formatPerson,
  type PersonInput,
  toPerson,
} from '../../../entities/person/person-input.ts'
import type { ProjectPerson } from '../../../entities/project/project.ts'
import { projectsKey, projectUsersQuery } from '../../../entities/project/project-queries.ts'
import { call } from '../../../shared/api/client.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { calls } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import { personQuery } from '../../../shared/session/account-queries.ts'
import css from '../../../shared/ui/dialogs/form.module.css'
import { FormDialog } from '../../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../../shared/ui/form/use-form.ts'
import { Tag } from '../../../shared/ui/tag.tsx'
import { useDetailText } from './detail-text.ts'
import type { PartProps } from './part-props.ts'

type User = ProjectPerson

/** The people of a project: its owner, its members, and those who were invited. */
export function PeoplePart({ project }: PartProps) {
  const t = useDetailText().people
  const { id } = project
  const isOwner = project.isOwner
  const myId = useQuery(personQuery).data?.userid
  const navigate = useNavigate()
  const isMe = ({ userId }: User) => userId === myId
  const removal = calls(projects.removeProjectUser, ({ userId }: User) => ({ id, delUserId: userId }))
  return (
    <List
      id="project.people"
      title={t.title}
      lead={t.lead}
      rows={whole(projectUsersQuery(id))}
      rowKey="userId"
      titles={t.columns}
      columns={{
        person: { kind: 'person', value: 'name', minor: ({ email, phone }) => email || phone },
        level: {
          kind: 'text',
          value: ({ level }) => t.levels[level],
          card: 'half',
        },
        state: {
          kind: 'text',
          value: ({ accepted }) => (accepted ? t.joined : t.waiting),
          cell: ({ accepted }) => (accepted ? t.joined : <Tag tone="warn">{t.waiting}</Tag>),
          card: 'half',
        },
      }}
      search={t.search}
      searched={({ email, phone }) => [email, phone]}
      touched={[projectsKey]}
      useProof={useProof}
      add={{ label: t.add, opens: (close) => <InvitePersonDialog id={id} onClose={close} /> }}
      acts={[
        isOwner && {
          ...calls(projects.transferProject, ({ userId }: User) => ({ id, transferUser: userId })),
          label: t.transfer,
          icon: 'transfer',
          place: 'menu',
          fits: (user) => user.accepted && !isMe(user),
          asks: { title: ({ name }) => t.transferTitle(name), body: t.transferBody },
          done: ({ name }) => t.transferred(name),
        },
        !isOwner && {
          ...removal,
          async run(user, options) {
            await removal.run(user, options)
            await navigate({ to: '/project/' })
          },
          label: t.quit,
          of: () => t.quit,
          fits: isMe,
          asks: { title: () => t.quitTitle, body: t.quitBody },
          done: t.left,
        },
        isOwner && {
          ...removal,
          label: t.withdraw,
          fits: ({ accepted }) => !accepted,
          done: t.withdrawn,
        },
        isOwner && {
          ...removal,
          label: t.remove,
          icon: 'trash',
          fits: (user) => user.accepted && !isMe(user),
          of: ({ name }) => t.removeTitle(name),
          asks: { title: ({ name }) => t.removeTitle(name), many: t.removeMany, body: t.removeBody },
          done: ({ name }) => t.removed(name),
        },
      ]}
      empty={{ icon: 'user', title: t.empty }}
    />
  )
}

function InvitePersonDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const text = useText()
  const t = useDetailText().people
  const form = useForm<{ readonly account: PersonInput }>({
    route: projects.addProjectUser,
    initial: { account: emptyPerson },
    check: ({ account }) => ({ account: findPersonProblem(account, text) }),
    send: ({ account }) => call(projects.addProjectUser, { id, ...toPerson(account) }),
    errorFields: { '08011006': 'account', '08011007': 'account' },
    done: (_, { account }) => t.invited(formatPerson(account)),
    touched: [projectsKey],
    onSent: onClose,
  })
  return (
    <FormDialog title={t.add} submit={t.send} form={form} onClose={onClose}>
      <div>
        <PersonField label={t.account} {...form.field('account')} />
        <p className={css.hint}>{t.accountHint}</p>
      </div>
    </FormDialog>
  )
}
