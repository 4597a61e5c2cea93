import { accounts, limits } from '@busbar/contract'
import {
  type AccountInput,
  findAccountProblem,
  formatAccount,
  hasDialCode,
  toAccount,
} from '../../entities/account/account-form.ts'
import { friendsKey } from '../../entities/person/friend-queries.ts'
import { call } from '../../shared/api/client.ts'
import { useText } from '../../shared/i18n/index.ts'
import { TextField } from '../../shared/ui/field.tsx'
import { CountrySelect } from '../../shared/ui/fields/country-select.tsx'
import { FormDialog } from '../../shared/ui/form/form-dialog.tsx'
import { useForm } from '../../shared/ui/form/use-form.ts'

const nobody: AccountInput = { text: '', countryCode: '86' }

/** Adds a person by the exact account: a search by parts would tell strangers' accounts. */
export function AddFriendDialog({ onClose }: { onClose: () => void }) {
  const { access, account: words } = useText()
  const t = words.friends
  const form = useForm({
    route: accounts.addFriend,
    initial: { account: nobody, remark: '' },
    check: ({ account }) => ({ account: findAccountProblem(account, access.add.problems) }),
    send: ({ account, remark }) => call(accounts.addFriend, { ...toAccount(account), remark: remark.trim() }),
    errorFields: { '01010304': 'account', FRIEND_SELF: 'account' },
    done: (_, { account }) => t.added(formatAccount(account)),
    touched: [friendsKey],
    onSent: onClose,
  })
  const { account } = form.values
  return (
    <FormDialog title={t.addTitle} submit={t.add} width={440} form={form} onClose={onClose}>
      <TextField
        label={t.account}
        name="account"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={account.text}
        error={form.problems.account}
        onChange={(text) => form.set('account', { ...account, text })}
        before={
          hasDialCode(account.text) && (
            <CountrySelect
              value={account.countryCode}
              onChange={(countryCode) => form.set('account', { ...account, countryCode })}
            />
          )
        }
      />
      <TextField
        label={t.remark}
        placeholder={t.remarkPlaceholder(limits.remarkMax)}
        autoComplete="off"
        {...form.text('remark')}
      />
    </FormDialog>
  )
}
