import { useText } from '../../shared/i18n/language.ts'
import type { RememberedAccount } from '../../shared/session/preferences.ts'
import { Icon } from '../../shared/ui/icon.tsx'
import css from './recent-accounts.module.css'

interface RecentAccountsProps {
  accounts: readonly RememberedAccount[]
  onChoose: (account: RememberedAccount) => void
  onForget: (account: RememberedAccount) => void
}

/** The accounts used on this browser: names only. */
export function RecentAccounts({ accounts, onChoose, onForget }: RecentAccountsProps) {
  const t = useText().login
  if (!accounts.length) return null
  return (
    <section className={css.recent} aria-label={t.recent}>
      <p className={css.title}>{t.recent}</p>
      <ul className={css.list}>
        {accounts.map((account) => (
          <li key={`${account.kind} ${account.countryCode} ${account.name}`} className={css.account}>
            <button type="button" className={css.choose} onClick={() => onChoose(account)}>
              <Icon name={account.kind === 'phone' ? 'phone' : 'mail'} />
              <span className="cut numbers" title={account.name}>
                {account.countryCode && account.countryCode !== '86' ? `+${account.countryCode} ` : ''}
                {account.name}
              </span>
            </button>
            <button
              type="button"
              className={css.forget}
              aria-label={t.forget(account.name)}
              data-tip={t.forget(account.name)}
              onClick={() => onForget(account)}
            >
              <Icon name="close" size={14} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
