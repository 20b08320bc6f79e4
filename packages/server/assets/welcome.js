// The code stands behind the # so that it is never part of a request line or of a log. A set-up code starts with `setup.`:
// only the first admin has to say who they are, an invitation knows.
const form = document.querySelector('form')
const status = document.querySelector('[role="status"]')
const code = location.hash.slice(1)
const isSetUp = code.startsWith('setup.')

if (code === '') {
  status.textContent = 'This address is not complete: open the whole link, with everything that follows the #.'
} else {
  form.hidden = false
  if (!isSetUp) document.querySelector('#email').remove()
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const response = await fetch('/auth/accept', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code, cookie: true, ...Object.fromEntries(new FormData(form)) }),
  })
  const answer = await response.json()
  if (!response.ok) {
    status.textContent = answer.detail
    return
  }
  history.replaceState(null, '', '/welcome')
  form.remove()
  document.querySelector('#intro').remove()
  document.querySelector('#next').hidden = false
  status.textContent = `You are signed in as ${answer.user.email} (${answer.user.role}).`
})
