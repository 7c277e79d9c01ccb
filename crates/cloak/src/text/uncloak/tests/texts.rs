//! Records about people in several languages and forms.

use super::judge::{Part, Text};
use super::people::{Chooser, Person};
use crate::text::TextSession;

/// Words and templates of one language.
pub(crate) struct Language {
    ages: [&'static str; 3],
    pub(crate) places: &'static [(&'static str, &'static str)],
    pub(crate) conditions: &'static [(&'static str, &'static str)],
    pub(crate) she: &'static str,
    pub(crate) he: &'static str,
    /// How a record speaks of one person: sentences.
    pub(crate) records: &'static [&'static [&'static str]],
    /// The same facts in another order.
    pub(crate) reordered: &'static [&'static str],
    /// The name in one sentence, the facts in the next.
    pub(crate) apart: &'static [&'static str],
    /// Before and after, with the words that stand for values: `{A}`, `{C}` are words of the language, not values.
    pub(crate) wrappers: &'static [(&'static str, &'static str)],
    /// The last word before the last of several.
    pub(crate) and: &'static str,
    /// People, then places: `{0}`, `{1}`.
    pub(crate) respectively: &'static [&'static str],
    /// Trap: the everyday words meant as such.
    pub(crate) traps: &'static [&'static str],
}

impl Language {
    pub(crate) const ALL: [Self; 4] = [ENGLISH, GERMAN, FRENCH, SPANISH];

    pub(crate) fn shown_age(&self, years: usize, ranges: bool) -> &'static str {
        match (ranges, years) {
            (true, 0..=17) => "0–17",
            (true, 18..=29) => "18–29",
            (true, 30..=44) => "30–44",
            (true, 45..=64) => "45–64",
            (true, _) => "65+",
            (false, 0..=17) => self.ages[0],
            (false, 18..=64) => self.ages[1],
            (false, _) => self.ages[2],
        }
    }

    /// Words of the language instead of `{A}`, `{C}`, `{M}`.
    pub(crate) fn words(&self, template: &str) -> String {
        template
            .replace("{A}", self.ages[1])
            .replace("{C}", self.places[0].1)
            .replace("{M}", self.conditions[0].1)
    }
}

const ENGLISH: Language = Language {
    ages: ["child", "adult", "senior"],
    places: &[
        ("Lyon", "France"),
        ("Paris", "France"),
        ("Nantes", "France"),
        ("Turin", "Italy"),
        ("Bari", "Italy"),
        ("Graz", "Austria"),
        ("Leeds", "United Kingdom"),
        ("Bath", "United Kingdom"),
    ],
    conditions: &[
        ("asthma", "chronic illness"),
        ("type 1 diabetes", "chronic illness"),
        ("psoriasis", "chronic illness"),
        ("a broken wrist", "injury"),
        ("a sprained ankle", "injury"),
        ("influenza", "infection"),
    ],
    she: "She",
    he: "He",
    records: &[
        &["{N}, {A}, lives in {C} and has {M}."],
        &["{N} is {A}, lives in {C} and was diagnosed with {M}."],
        &["{N} ({A}, {C}) has {M}."],
        &["Patient {N} from {C}, {A}, suffers from {M}."],
        &["{N} came in on Monday morning.", "{P} is {A} and lives in {C}.", "{P} was treated for {M}."],
        &["In {C} lives {N}, {A}, who has {M}."],
        &["We spoke with {N} about the move.", "The patient is {A}, lives in {C}, and reports {M}."],
        &["Name: {N}; age: {A}; city: {C}; condition: {M}."],
        &["A letter for {N}, who is {A} and based in {C}: {M}."],
        &["{N} moved to {C} last spring.", "{P} is {A}.", "{P} manages {M} with the help of a nurse."],
        &[
            "Since March, Dr. {F} of the night shift knows {G}, {A}, well.",
            "{G} has {M} and drives in from {C}.",
        ],
    ],
    reordered: &[
        "{C} is home to {N}, {A}, with {M}.",
        "{N} has {M}, is {A} and lives in {C}.",
        "{N}: {M}, {C}, {A}.",
        "With {M} and from {C}, {N} is {A}.",
        "{M}: {N}, {A}, {C}.",
        "{N} - {C} - {A} - {M}.",
        "Living in {C} and dealing with {M}, {N} is {A}.",
        "Our {A} patient {N} told us about {M} and about life in {C}.",
    ],
    apart: &[
        "This is about {N}. Age {A}, city {C}, condition {M}.",
        "{N} is on file. The patient is {A}, lives in {C} and has {M}.",
        "{N}. {A}, {C}, {M}.",
        "Next is {N}. {P} is {A}, from {C}, with {M}.",
        "I looked at the chart of {N}. {P} lives in {C}. {P} is {A} and suffers from {M}.",
        "**{N}**\n- Age: {A}\n- Location: {C}\n- Condition: {M}\n",
        "## {N}\n\nAge: {A}\nResidence: {C}\nDiagnosis: {M}\n",
        "Then there is {N}. The {A} lives in {C} and has {M}.",
    ],
    wrappers: &[
        (
            "Here is the summary you asked for, written for an {A} reader in {C}.\n\n",
            "\n\nLet me know if you need {A} services in {C}.",
        ),
        ("Every {A} in {C} may see this:\n", "\nNote that {M} is a broad term, and {C} is large."),
        ("For {A} care in {C}, the following was found. ", " Any {A} with {M} should see a doctor."),
        ("In {C}, adults often ask. Sure, here it is: ", " That is all for {C}."),
    ],
    and: "and",
    respectively: &[
        "{0} live in {1} respectively.",
        "{0} come from {1}, respectively.",
        "{0} are based in {1} respectively, as far as we know.",
    ],
    traps: &[
        "{G} asked about {A} education in {C}.",
        "{G} read about {M} management in {C}.",
        "{G} watched an {A} film about {C} and {M} care.",
    ],
};

const GERMAN: Language = Language {
    ages: ["minderjährig", "erwachsen", "im Rentenalter"],
    places: &[
        ("Lyon", "Frankreich"),
        ("Paris", "Frankreich"),
        ("Turin", "Italien"),
        ("Bari", "Italien"),
        ("Graz", "Österreich"),
        ("Linz", "Österreich"),
    ],
    conditions: &[
        ("Asthma", "chronische Erkrankung"),
        ("Diabetes Typ 1", "chronische Erkrankung"),
        ("Schuppenflechte", "chronische Erkrankung"),
        ("Grippe", "Infektion"),
        ("Scharlach", "Infektion"),
    ],
    she: "Sie",
    he: "Er",
    records: &[
        &["{N}, {A}, lebt in {C} und hat {M}."],
        &["{N} ist {A}, wohnt in {C} und leidet an {M}."],
        &["{N} ({A}, {C}): Diagnose {M}."],
        &["{N} kam am Montag zu uns.", "{P} ist {A} und wohnt in {C}.", "{P} wird wegen {M} behandelt."],
        &["Name: {N}; Alter: {A}; Wohnort: {C}; Befund: {M}."],
    ],
    reordered: &[
        "{N} hat {M}, ist {A} und lebt in {C}.",
        "In {C} wohnt {N}, {A}, mit {M}.",
        "{N}: {M}, {C}, {A}.",
        "Wegen {M} meldete sich {N} aus {C}, {A}.",
    ],
    apart: &[
        "Es geht um {N}. Alter: {A}, Wohnort: {C}, Diagnose: {M}.",
        "{N} ist da. {P} ist {A}, lebt in {C} und hat {M}.",
        "**{N}**\n- Alter: {A}\n- Stadt: {C}\n- Krankheit: {M}\n",
    ],
    wrappers: &[
        (
            "Hier ist die Übersicht für alle, die in {C} {A} sind.\n\n",
            "\n\nBitte melden Sie sich, wenn Sie {A} sind und in {C} leben.",
        ),
        ("Wer {A} ist, darf das in {C} lesen: ", " Mehr zu {M} in {C} finden Sie im Netz."),
    ],
    and: "und",
    respectively: &["{0} leben in {1} beziehungsweise.", "{0} wohnen jeweils in {1}."],
    traps: &["{G} fragte nach Kursen, für die man {A} genug ist, und nach {C} im Winter."],
};

const FRENCH: Language = Language {
    ages: ["mineur", "adulte", "senior"],
    places: &[
        ("Turin", "Italie"),
        ("Bari", "Italie"),
        ("Gênes", "Italie"),
        ("Graz", "Autriche"),
        ("Linz", "Autriche"),
        ("Leeds", "Royaume-Uni"),
    ],
    conditions: &[
        ("asthme", "maladie chronique"),
        ("diabète", "maladie chronique"),
        ("psoriasis", "maladie chronique"),
        ("grippe", "infection"),
        ("angine", "infection"),
    ],
    she: "Elle",
    he: "Il",
    records: &[
        &["{N}, {A}, vit à {C} et souffre de {M}."],
        &["{N} ({A}, {C}) : {M}."],
        &["{N} est venu lundi matin.", "{P} est {A} et habite à {C}.", "{P} est suivi pour {M}."],
        &["Nom : {N} ; âge : {A} ; ville : {C} ; maladie : {M}."],
    ],
    reordered: &[
        "{N} souffre de {M}, est {A} et vit à {C}.",
        "À {C} habite {N}, {A}, avec {M}.",
        "{N} : {M}, {C}, {A}.",
    ],
    apart: &[
        "Voici {N}. Âge : {A}, ville : {C}, maladie : {M}.",
        "Le dossier suivant est celui de {N}. {P} est {A}, vit à {C} et souffre de {M}.",
        "**{N}**\n- Âge : {A}\n- Ville : {C}\n- Diagnostic : {M}\n",
    ],
    wrappers: &[
        ("Voici le résumé pour un public {A} en {C}.\n\n", "\n\nChaque {A} en {C} peut demander de l'aide."),
        ("Pour tout {A} : ", " La {M} touche beaucoup de gens en {C}."),
    ],
    and: "et",
    respectively: &["{0} vivent à {1} respectivement.", "{0} habitent respectivement à {1}."],
    traps: &["{G} a posé une question sur la formation {A} supérieure et la cuisine en {C}."],
};

const SPANISH: Language = Language {
    ages: ["menor", "adulto", "mayor"],
    places: &[
        ("Turín", "Italia"),
        ("Bari", "Italia"),
        ("Graz", "Austria"),
        ("Linz", "Austria"),
        ("Lyon", "Francia"),
        ("París", "Francia"),
    ],
    conditions: &[
        ("asma", "enfermedad crónica"),
        ("diabetes", "enfermedad crónica"),
        ("psoriasis", "enfermedad crónica"),
        ("gripe", "infección"),
        ("varicela", "infección"),
    ],
    she: "Ella",
    he: "Él",
    records: &[
        &["{N}, {A}, vive en {C} y tiene {M}."],
        &["{N} ({A}, {C}) padece {M}."],
        &[
            "{N} llegó el lunes por la mañana.",
            "{P} es {A} y vive en {C}.",
            "{P} recibe tratamiento para {M}.",
        ],
        &["Nombre: {N}; edad: {A}; ciudad: {C}; diagnóstico: {M}."],
    ],
    reordered: &[
        "{N} tiene {M}, es {A} y vive en {C}.",
        "En {C} vive {N}, {A}, con {M}.",
        "{N}: {M}, {C}, {A}.",
    ],
    apart: &[
        "Se trata de {N}. Edad: {A}, ciudad: {C}, diagnóstico: {M}.",
        "El siguiente caso es {N}. {P} es {A}, vive en {C} y padece {M}.",
        "**{N}**\n- Edad: {A}\n- Ciudad: {C}\n- Enfermedad: {M}\n",
    ],
    wrappers: &[
        ("Aquí está el resumen para cualquier {A} en {C}.\n\n", "\n\nCada {A} de {C} puede pedir ayuda."),
        ("Para un lector {A} en {C}. ", " La {M} es un término amplio en {C}."),
    ],
    and: "y",
    respectively: &["{0} viven en {1} respectivamente.", "{0} residen, respectivamente, en {1}."],
    traps: &["{G} preguntó por la educación {A} obligatoria y por la comida de {C} antigua."],
};

/// A record and its sentences.
pub(crate) struct Record {
    pub(crate) message: Text,
    /// For each person, the sentences.
    pub(crate) sentences: Vec<Vec<Text>>,
}

impl Record {
    pub(crate) fn session(&self, seed: u8, people: &[Person]) -> TextSession {
        let mut session = TextSession::new([seed; 32]);
        for person in people {
            person.introduce(&mut session);
        }
        session.record(&self.message.cloaked(), &self.message.replaced()).unwrap();
        if seed.is_multiple_of(2) { TextSession::from_bytes(&session.to_bytes()).unwrap() } else { session }
    }

    /// All sentences, in order.
    pub(crate) fn all(&self) -> Vec<Text> {
        self.sentences.concat()
    }

    /// What is said of each person: sentences that go on about them stay together.
    pub(crate) fn statements(&self) -> Vec<Text> {
        self.sentences.iter().map(|sentences| Text::join(sentences, " ")).collect()
    }
}

/// A record about some people.
pub(crate) fn record(people: &[Person], language: &Language, chooser: &mut Chooser) -> Record {
    let one_form = (chooser.below(2) == 0).then(|| chooser.one(language.records));
    let between = chooser.one(&[" ", "\n", "\n\n", " "]);
    let sentences: Vec<Vec<Text>> = people
        .iter()
        .map(|person| {
            let form = one_form.unwrap_or_else(|| chooser.one(language.records));
            form.iter().map(|sentence| person.say(sentence, language)).collect()
        })
        .collect();
    let paragraphs: Vec<Text> = sentences.iter().map(|sentences| Text::join(sentences, " ")).collect();
    let mut message = Text::join(&paragraphs, between);
    if chooser.below(3) == 0 {
        message.0.insert(0, Part::Own(language.words("2026-03-04, ward 7.\n")));
    }
    Record { message, sentences }
}
