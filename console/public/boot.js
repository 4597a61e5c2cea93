// Runs before the first paint and before the app is there: the page must not flash in the other theme.
// A file of its own, so that the content security policy needs no inline script. The names are those of
// src/app/preferences.ts.
;(() => {
  let theme
  try {
    theme = JSON.parse(localStorage.getItem('busbar.preferences') ?? '{}').theme
  } catch {
    // No storage, or not ours: the system's theme.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  const root = document.documentElement
  root.dataset.theme = dark ? 'dark' : 'light'
  root.dataset.layout = matchMedia('(max-width: 767px)').matches ? 'narrow' : 'wide'
})()
