import { machines } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { formatNumber, useText } from '../../../shared/i18n/index.ts'
import { Button, IconButton } from '../../../shared/ui/button.tsx'
import { Dialog } from '../../../shared/ui/dialog.tsx'
import { EmptyState } from '../../../shared/ui/empty-state.tsx'
import { TextField } from '../../../shared/ui/field.tsx'
import { FormRefusal } from '../../../shared/ui/form/form-dialog.tsx'
import { type Form, useForm } from '../../../shared/ui/form/use-form.ts'
import { Box, Row, Stack, Text } from '../../../shared/ui/layout/layout.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { showToast } from '../../../shared/ui/toast/toast-store.ts'
import { refusalText } from '../../../shared/ui/use-act.ts'
import { GroupMembersDialog } from './group-members-dialog.tsx'
import { refreshGroups, userGroupsQuery } from './group-queries.ts'
import css from './groups-dialog.module.css'

/** The groups of the personal list: make, rename, fill, delete. */
export function GroupsDialog({ onClose }: { onClose: () => void }) {
  const { machineEdit, app } = useText()
  const t = machineEdit.groups
  const groups = useQuery(userGroupsQuery)
  const [filling, fill] = useState<machines.UserGroup>()

  if (filling) return <GroupMembersDialog group={filling} onClose={() => fill(undefined)} />

  function content(): ReactNode {
    if (groups.isError && !groups.data) {
      return (
        <EmptyState icon="warning" title={t.loadFailed}>
          <Button icon="refresh" busy={groups.isFetching} onClick={() => void groups.refetch()}>
            {app.retry}
          </Button>
        </EmptyState>
      )
    }
    if (!groups.data) return <Skeleton height={40} />
    if (groups.data.length === 0) return <EmptyState icon="group" title={t.none} hint={t.noneHint} />
    return (
      <Box as="ul" surface="frame" aria-label={t.title}>
        {groups.data.map((group) => (
          <GroupRow key={group.id} group={group} onFill={() => fill(group)} />
        ))}
      </Box>
    )
  }

  return (
    <Dialog
      title={t.title}
      width={520}
      onClose={onClose}
      actions={<Button onClick={onClose}>{app.close}</Button>}
    >
      <Stack gap={14} shrinks className={css.column}>
        <CreateGroup focused />
        {content()}
      </Stack>
    </Dialog>
  )
}

interface NameFormProps<Answer> {
  label: string
  action: string
  /** The name it has. */
  first?: string
  focused: boolean
  send: (name: string) => Promise<Answer>
  onSent: ((answer: Answer) => void) | undefined
  onCancel?: () => void
}

/** One line with a name and a button: how a group is made and how it gets another name. */
function NameForm<Answer>(props: NameFormProps<Answer>) {
  const { label, action, first = '', focused, send, onSent, onCancel } = props
  const { machineEdit, app } = useText()
  const t = machineEdit.groups
  const client = useQueryClient()
  const form: Form<{ name: string }> = useForm({
    route: machines.createUserGroup,
    initial: { name: first },
    words: { name: { required: t.nameEmpty, noSpecial: t.nameSpecial } },
    send: ({ name }) => send(name.trim()),
    failed: t.failed,
    onSent: async (answer: Answer) => {
      form.set('name', first)
      await refreshGroups(client)
      onSent?.(answer)
    },
  })
  return (
    <form className={css.name} {...form.props}>
      <TextField label={label} autoFocus={focused} autoComplete="off" {...form.text('name')} />
      <Button type="submit" busy={form.isSending}>
        {action}
      </Button>
      {onCancel && <Button onClick={onCancel}>{app.cancel}</Button>}
      <FormRefusal text={form.general} />
    </form>
  )
}

interface CreateGroupProps {
  /** Whether it is what the dialog begins with. */
  focused: boolean
  onCreated?: (groupId: number) => void
}

/** Makes a group by its name. */
export function CreateGroup({ focused, onCreated }: CreateGroupProps) {
  const t = useText().machineEdit.groups
  return (
    <NameForm
      label={t.name}
      action={t.create}
      focused={focused}
      send={async (name) => {
        const { id } = await call(machines.createUserGroup, { name })
        showToast(t.created(name))
        return id
      }}
      onSent={onCreated}
    />
  )
}

function GroupRow({ group, onFill }: { group: machines.UserGroup; onFill: () => void }) {
  const t = useText().machineEdit.groups
  const client = useQueryClient()
  const [isRenaming, rename] = useState(false)
  const [problem, setProblem] = useState<string>()
  const remove = useMutation({
    mutationFn: () => call(machines.removeUserGroup, { id: group.id }),
    onSuccess: () => showToast(t.removed(group.name)),
    onError: (error) => setProblem(refusalText(error, t.failed)),
    onSettled: () => refreshGroups(client),
  })

  if (isRenaming) {
    return (
      <Row as="li" gap={6} wraps className={css.row}>
        <NameForm
          label={t.renameOf(group.name)}
          action={t.save}
          first={group.name}
          focused
          onCancel={() => rename(false)}
          send={async (name) => {
            if (name === group.name) return
            await call(machines.updateUserGroup, { id: group.id, name })
            showToast(t.renamed(name))
          }}
          onSent={() => rename(false)}
        />
      </Row>
    )
  }
  return (
    <Row as="li" gap={6} wraps className={css.row}>
      <Row as="span" gap={8} align="baseline" grows>
        <span className="cut" title={group.name}>
          {group.name}
        </span>
        <Text fixed tone="quiet" size={12} numbers>
          {t.count(formatNumber(group.count))}
        </Text>
      </Row>
      <Button size="small" aria-label={t.devicesOf(group.name)} onClick={onFill}>
        {t.devices}
      </Button>
      <IconButton icon="edit" size="small" label={t.renameOf(group.name)} onClick={() => rename(true)} />
      <IconButton
        icon="trash"
        size="small"
        label={t.removeOf(group.name)}
        disabled={remove.isPending}
        onClick={() => (group.count > 0 ? setProblem(t.notEmpty(group.count)) : remove.mutate())}
      />
      {problem && (
        <Text role="alert" as="p" tone="crit" size="12/16" className={css.problem}>
          {problem}
        </Text>
      )}
    </Row>
  )
}
