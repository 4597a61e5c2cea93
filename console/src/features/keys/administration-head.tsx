import { Link } from '@tanstack/react-router'
import { signsOf } from '../../entities/machine/detail-signs.ts'
import { displayState } from '../../entities/machine/machine-state.ts'
import { RoleTag } from '../../entities/machine/role-tag.tsx'
import { useText } from '../../shared/i18n/index.ts'
import { CopyCode } from '../../shared/ui/copy-code.tsx'
import { StateGlyph } from '../../shared/ui/data/state-glyph.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Row } from '../../shared/ui/layout/layout.tsx'
import { LanguageButton, ThemeButton } from '../../shared/ui/preference-switches.tsx'
import frame from '../../shared/ui/side-page.module.css'
import { useAdministration } from './administration.ts'
import css from './administration-page.module.css'

/** The machine's name, the caller's role, and the way back. */
export function AdministrationHead() {
  const { machineId, machine } = useAdministration()
  const t = useText().access
  const state = displayState(signsOf(machine))
  return (
    <header className={frame.head}>
      <Link
        to="/index/"
        search={{ machine: machineId }}
        className={frame.back}
        aria-label={t.back}
        data-tip={t.back}
      >
        <Icon name="chevronLeft" size={18} />
      </Link>
      <Box grows>
        <Row as="h1" size="16/22" gap={8} align="baseline" shrinks>
          <span className="cut" title={machine.name}>
            {machine.name}
          </span>
          <span className={css.kind}>{t.open}</span>
        </Row>
        <p className={css.under}>
          <span className={css.state}>
            <StateGlyph state={state} strong size={9} />
          </span>
          <CopyCode code={machine.code} />
        </p>
      </Box>
      <span className={css.role}>
        <RoleTag level={machine.level} />
      </span>
      <Row gap={2} fixed>
        <LanguageButton />
        <ThemeButton />
      </Row>
    </header>
  )
}
