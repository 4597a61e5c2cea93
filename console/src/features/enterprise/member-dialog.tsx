import { enterprises, type MemberRight, memberRights } from '@busbar/contract'
import { type Member, spaceKey } from '../../entities/enterprise/enterprise-queries.ts'
import { PersonField } from '../../entities/person/person-field.tsx'
import {
  emptyPerson,
  findPersonProblem,
  formatPerson,
  type PersonInput,
  toPerson,
} from '../../entities/person/person-input.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import css from '../../shared/ui/dialogs/form.module.css'
import { SelectField } from '../../shared/ui/fields/choice-fields.tsx'
import { ChoicesField } from '../../shared/ui/fields/choices-field.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'

interface MemberDialogProps {
  eid: number
  /** The person whose role and rights are changed; undefined for a new invitation. */
  member: Pick<Member, 'name' | 'role' | 'rights'> | undefined
  /** Saves the change. */
  save?: (changed: { role: enterprises.EnterpriseRole; rights: MemberRight[] }) => Promise<unknown>
  /** Owners make owners. */
  isOwner: boolean
  onClose: () => void
}

type MemberInput = {
  readonly account: PersonInput
  readonly role: enterprises.EnterpriseRole
  readonly rights: readonly MemberRight[]
}

/** Invites a person with a role and rights, or changes those of a member. */
export function MemberDialog({ eid, member, save, isOwner, onClose }: MemberDialogProps) {
  const text = useText()
  const { enterprises: words } = text
  const t = words.manage.members
  const form = useForm<MemberInput>({
    route: member ? enterprises.updateMember : enterprises.inviteMember,
    initial: {
      account: emptyPerson,
      role: member?.role ?? 'member',
      rights: member?.role === 'member' ? member.rights : ['view'],
    },
    check: ({ account }) => ({ account: member ? undefined : findPersonProblem(account, text) }),
    send: async ({ account, role, rights }) => {
      const changed = { role, rights: [...rights] }
      if (save) await save(changed)
      else await call(enterprises.inviteMember, { eid, ...changed, ...toPerson(account) })
    },
    done: (_, { account }) => (member ? words.devices.saved : t.invited(formatPerson(account))),
    errorFields: { '01010304': 'account' },
    touched: [spaceKey(eid), ['enterprises']],
    onSent: onClose,
  })
  const { role } = form.values
  const roles = enterprises.enterpriseRoles.filter((each) => each !== 'owner' || isOwner)

  return (
    <FormDialog
      title={member ? t.editTitle(member.name) : t.invite}
      submit={member ? words.devices.save : t.send}
      form={form}
      onClose={onClose}
    >
      {!member && (
        <div>
          <PersonField label={t.account} {...form.field('account')} />
          <p className={css.hint}>{t.accountHint}</p>
        </div>
      )}
      <SelectField
        label={t.role}
        options={roles.map((value) => ({ value, label: words.roles[value] }))}
        hint={t.roleHints[role]}
        {...form.field('role')}
      />
      {role === 'member' && (
        <ChoicesField
          label={t.rights}
          options={memberRights.map((value) => ({
            value,
            label: words.rights[value],
            detail: words.rightHints[value],
          }))}
          {...form.field('rights')}
        />
      )}
    </FormDialog>
  )
}
