import { accentTones, isColour, themes } from '@busbar/contract'
import type { CSSProperties } from 'react'
import { useLang } from '../../shared/i18n/index.ts'
import { Row } from '../../shared/ui/layout/layout.tsx'
import type { BrandDraft } from './brand-draft.ts'
import css from './brand-form.module.css'
import { useOperatorText } from './operator-text.ts'

/** The console's own accent, as tokens.json has it. */
export const ownAccent = '#2a5be0'

/** A preview of the sign-in on both themes, while a person types. */
export function BrandPreview({ draft }: { draft: BrandDraft }) {
  const t = useOperatorText().brandForm
  const lang = useLang()
  const accent = isColour(draft.accent.trim()) ? draft.accent.trim() : ownAccent
  const name = draft[lang] || draft.cn || draft.en
  return (
    <aside className={css.preview} aria-label={t.preview}>
      <h3>{t.preview}</h3>
      {themes.map((theme) => {
        const tones = accentTones(accent, theme)
        const logo = theme === 'dark' ? draft.logoDarkUrl || draft.logoUrl : draft.logoUrl
        const style = { '--tone': tones.accent, '--tone-solid': tones.solid } as CSSProperties
        return (
          <div key={theme} className={css.card} data-shown={theme} style={style}>
            <Row as="p" gap={8} shrinks weight={600}>
              {logo ? <img src={logo} alt="" height={22} /> : <span className={css.dot} />}
              <span className="cut">{name}</span>
            </Row>
            {draft.loginImageUrl && <img className={css.scene} src={draft.loginImageUrl} alt="" />}
            <span className={css.button}>{t.previewSignIn}</span>
            <span className={css.link}>{t.previewLink}</span>
          </div>
        )
      })}
    </aside>
  )
}
