/** Tells on the page what came of the work. */
export async function show(told) {
  const place = document.createElement("pre");
  try {
    place.textContent = await told;
  } catch (error) {
    place.textContent = `${error.code}: ${error.message}`;
  }
  document.body.append(place);
}
