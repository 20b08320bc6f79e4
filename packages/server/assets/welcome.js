// The code stands behind the # so that it is never part of a request line or of a log.
const form = document.querySelector('form')
const status = document.querySelector('[role="status"]')

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { email, password } = Object.fromEntries(new FormData(form))
  const body = { code: location.hash.slice(1), password, cookie: true, ...(email ? { email } : {}) }
  const response = await fetch('/auth/accept', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) {
    status.textContent = answer.detail
    return
  }
  history.replaceState(null, '', '/welcome')
  form.replaceChildren(status)
  status.textContent = `You are signed in as ${answer.user.email} (${answer.user.role}). The API is described at /docs.`
})
