import { useText } from '../shared/i18n/language.ts'
import { Dialog } from '../shared/ui/dialog.tsx'
import { Row, Text } from '../shared/ui/layout/layout.tsx'
import css from './shortcut-sheet.module.css'

const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** The keys and their actions; keys of one line do the same, or go one way each. */
const keys = {
  everywhere: [
    { does: 'jump', keys: [command, 'K'] },
    { does: 'help', keys: ['?'] },
    { does: 'close', keys: ['Esc'] },
  ],
  list: [
    { does: 'search', keys: ['/'] },
    { does: 'move', keys: ['J', 'K'] },
    { does: 'rows', keys: ['↑', '↓'] },
    { does: 'ends', keys: ['Home', 'End'] },
    { does: 'pages', keys: ['Page ↑', 'Page ↓'] },
    { does: 'open', keys: ['Enter'] },
  ],
  within: [
    { does: 'choices', keys: ['←', '→'] },
    { does: 'step', keys: ['↑', '↓'] },
    { does: 'write', keys: ['Enter'] },
    { does: 'cancel', keys: ['Esc'] },
  ],
} as const

/** Every shortcut of the console, in words. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const t = useText().shortcuts
  return (
    <Dialog title={t.title} width={620} onClose={onClose}>
      <div className={css.groups}>
        {Object.entries(keys).map(([group, lines]) => (
          <section key={group} aria-labelledby={`keys-${group}`}>
            <Text id={`keys-${group}`} as="h3" below={6} tone="quiet" size="12/16" weight={500}>
              {t.groups[group as keyof typeof keys]}
            </Text>
            <dl className={css.lines}>
              {lines.map(({ does, keys: pressed }) => (
                <Row key={does} gap={12} justify="between" tone="text" className={css.line}>
                  <dt>{t.does[does]}</dt>
                  <Row as="dd" gap={4} align="stretch" fixed>
                    {pressed.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </Row>
                </Row>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
