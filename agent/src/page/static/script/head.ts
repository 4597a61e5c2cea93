import { byId, el, icon, refill, setAttribute, setText } from './dom.ts'
import type { Model, Part } from './model.ts'
import { language, recall, remember, texts } from './texts.ts'

type Theme = 'light' | 'dark'

const themeKey = 'page.theme'
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')

function theme(): Theme {
  const kept = recall(themeKey)
  if (kept === 'light' || kept === 'dark') return kept
  return systemIsDark.matches ? 'dark' : 'light'
}

/** Puts theme and language on the page, and the words of the two switches. */
export function applyPreferences(): void {
  const t = texts()
  const isDark = theme() === 'dark'
  document.documentElement.dataset.theme = theme()
  document.documentElement.lang = language() === 'cn' ? 'zh-CN' : 'en'
  const languageButton = byId('language')
  setText(languageButton, language() === 'cn' ? 'EN' : '中文')
  languageButton.setAttribute('aria-label', t.otherLanguage)
  languageButton.title = t.otherLanguage
  const themeButton = byId('theme')
  refill(themeButton, icon(isDark ? 'sun' : 'moon'))
  themeButton.setAttribute('aria-label', isDark ? t.toLight : t.toDark)
  themeButton.title = isDark ? t.toLight : t.toDark
}

export function watchPreferences(onLanguage: () => void, onTheme: () => void): void {
  byId('language').addEventListener('click', onLanguage)
  byId('theme').addEventListener('click', () => {
    remember(themeKey, theme() === 'dark' ? 'light' : 'dark')
    applyPreferences()
    onTheme()
  })
  const follow = (): void => {
    applyPreferences()
    onTheme()
  }
  systemIsDark.addEventListener('change', follow)
}

/** The machine's name, the state of its controllers, and whether the viewer may change anything. */
export function createHeadPart(model: Model): Part {
  let drawn = ''

  /** The name that the visitor knows the machine by; at the machine itself its model. */
  function drawName(): void {
    const { code, model: type } = model.page
    const [title = '', ...facts] = [model.visit?.machine ?? '', type, code].filter((text) => text !== '')
    setText(byId('model'), title)
    setAttribute(byId('model'), 'title', title)
    setText(byId('code'), facts.join(' · '))
    if (document.title !== title) document.title = title
  }

  function drawConnections(): void {
    const t = texts()
    const names = model.page.connections
    const states = model.connections
    const state = JSON.stringify([states, model.lostAt !== null])
    if (state === drawn) return
    drawn = state
    const online = states.filter((one) => one === 'online').length
    const away = states.indexOf('offline')
    const unread = states.indexOf('unknown')
    const dot = el('span', 'dot')
    dot.dataset.state =
      model.lostAt !== null
        ? 'unknown'
        : away >= 0
          ? 'offline'
          : online === states.length
            ? 'online'
            : 'unknown'
    // A single unreachable one is named; several are counted.
    const text =
      states.length - online === 1
        ? away >= 0
          ? t.connectionOffline(names[away] ?? '')
          : t.connectionUnknown(names[unread] ?? '')
        : t.connectionsOnline(online, states.length)
    refill(byId('connections'), dot, text)
    byId('connections').title = names.map((one, index) => `${one}: ${states[index] ?? ''}`).join('\n')
  }

  return {
    update(tags) {
      if (tags !== null) return
      drawName()
      drawConnections()
      const isWatching = model.page.mode === 'ro'
      const mode = byId('mode')
      const text = isWatching ? texts().watching : texts().operating
      if (mode.textContent !== text)
        refill(mode, icon(isWatching ? 'eye' : 'hand'), el('span', 'mode-word', text))
      setAttribute(mode, 'data-mode', model.page.mode)
      const why = model.page.reason
      setAttribute(mode, 'title', why === null ? null : texts().watchingWhy[why])
    },
  }
}
