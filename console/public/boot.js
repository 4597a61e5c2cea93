// Runs before the first paint and before the app is there: the page must not flash in the other theme, the outline
// of index.html takes the shape of the page to come, what a signed-in person needs is fetched at once, and where
// the app cannot be had the page must not stay empty. A separate file, so that the content security policy does not have to allow inline scripts. The names are
// those of src/shared/session/preferences.ts.
;(() => {
  let preferences = {}
  try {
    preferences = JSON.parse(localStorage.getItem('busbar.preferences') ?? '{}') ?? {}
  } catch {
    // Without our entry in the storage, the system's settings apply.
  }
  const { theme, lang, menuCollapsed, account } = preferences
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const root = document.documentElement
  root.dataset.theme = dark ? 'dark' : 'light'
  root.dataset.layout = matchMedia('(max-width: 767px)').matches ? 'narrow' : 'wide'
  const isMenuShort = menuCollapsed ?? matchMedia('(max-width: 1180px)').matches
  root.dataset.menu = isMenuShort ? 'short' : 'full'
  const asked = new URLSearchParams(location.search).get('lang') ?? lang ?? account?.lang
  const isEnglish = asked ? asked === 'en' : !navigator.language.toLowerCase().startsWith('zh')
  const speaks = isEnglish ? 'en' : 'cn'

  // The sets of files that build/preload-inside.ts wrote down. Only a hint: what is missing here is fetched later.
  const sets = document.currentScript?.dataset
  const isOutside = /^\/(apiDoc|loginTimeout|scadaRegister)\/?$/.test(location.pathname)
  const isInside = /(^|; )loggedIn=1(;|$)/.test(document.cookie) && !isOutside
  const isList = /^\/(index\/?|login|mobile)?$/.test(location.pathname)
  const isShell =
    /^\/(((device|enterprise|maintenance|msgCenter|alarmCenter|dataCenter|safety|security|userInfo|modifyPhone|modifyEmail|appearance|friends|recoverPwd)(\/.*)?)|(index\/?|login|mobile)?)$/
  if (isInside && isShell.test(location.pathname)) root.dataset.outline = isList ? 'list' : 'page'
  // Behind a session the font comes after the first texts: on a slow line it would take a quarter of a second from them,
  // and its stand-in has the same measures.
  for (const name of isInside ? ['inside', speaks, ...(isList ? ['list'] : [])] : ['font']) {
    for (const href of sets?.[name]?.split(' ') ?? []) {
      const link = document.createElement('link')
      const as = href.endsWith('.css') ? 'style' : 'font'
      if (href.endsWith('.js')) Object.assign(link, { rel: 'modulepreload', href })
      else Object.assign(link, { rel: 'preload', as, href, crossOrigin: '' })
      document.head.append(link)
    }
  }

  // The list is asked for at once as well; shared/api/early-answer.ts takes the answer.
  if (isInside && /^\/index\/?$/.test(location.pathname)) {
    const url = '/api/machine/select'
    const body = JSON.stringify({ terminalID: 'console' })
    const early = { url, body, lang: isEnglish ? 'en' : 'zh-CN' }
    const headers = { 'accept-language': early.lang, 'content-type': 'application/json' }
    globalThis.busbarEarly = { ...early, answer: fetch(url, { method: 'POST', headers, body }) }
    // Without an answer the console asks again, and says what is wrong.
    globalThis.busbarEarly.answer.catch(() => {})
  }

  const texts = {
    cn: ['页面没有加载完成', '请检查网络后刷新。', '刷新'],
    en: ['The page could not be loaded', 'Check the network, then reload.', 'Reload'],
  }

  /** Once the app is on the screen, it reports its errors itself. */
  function tellNotStarted() {
    const place = document.getElementById('root')
    if (!place || !(place.childElementCount === 0 || place.querySelector('.outline'))) return
    const [title, hint, reload] = texts[speaks]
    const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })
    const box = make('main', '')
    box.setAttribute('role', 'alert')
    box.style.cssText = 'display:grid;gap:12px;place-content:center;justify-items:center;height:100%'
    const button = make('button', reload)
    button.style.cssText = 'padding:6px 16px;border:1px solid;border-radius:6px;font:inherit;cursor:pointer'
    button.addEventListener('click', () => location.reload())
    box.append(make('h1', title), make('p', hint), button)
    place.replaceChildren(box)
  }

  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && tellNotStarted(), true)
  addEventListener('unhandledrejection', tellNotStarted)
})()
