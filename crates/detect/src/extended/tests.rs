use cloakgate_vocab::Category;

use crate::settings::{CategorySet, Settings};
use crate::{Engine, Field};

/// The text with the findings of one category marked.
fn marked(category: Category, text: &str) -> String {
    let engine = Engine::new(Settings { categories: CategorySet::none().with(category) });
    let mut out = text.to_owned();
    for finding in engine.scan(&Field::text(text)).iter().rev() {
        out.insert(finding.hull().end(), '»');
        out.insert(finding.hull().start(), '«');
    }
    out
}

#[track_caller]
fn check(category: Category, texts: &[&str]) {
    for text in texts {
        assert_eq!(marked(category, &text.replace(['«', '»'], "")), *text, "{category}");
    }
}

#[test]
fn ages_are_numbers_that_words_make_ages() {
    check(
        Category::Age,
        &[
            "Ms. Castro is a «84»-year-old woman",
            "she is «31» years old",
            "from Marindia, and I'm «26» y/o.",
            "My brother just turned «60»",
            "Written when he was «78».",
            "aged «7», at the age of «12», Age: «44»",
            "varón de «53 años» sin antecedentes",
            "Paciente de «63» años de edad",
            "niña de «5 meses»",
            "a «6-month»-old infant",
            "eine «41»-jährige Patientin, «52» Jahre alt",
            "âgé de «30 ans»",
            "un uomo di «47 anni»",
            "田中さん(«35»歳)",
            "мужчина, «45 лет»",
            "wait 3 years, 5 months ago, 30 days notice",
            "page 12, image 44, version 31",
            "a contract of 2 years and 10 days",
            "hace 5 años, durante 3 meses",
            "retries was 5",
            "She is «thirty-four» years old, he turned «forty»",
            "a boy aged «17½», «2.5» years old",
            "the firm is 34 years old, a 30-year-old house, version one",
            "I have two years and one day",
            "men of «30-40» years old, for 30-40 years",
        ],
    );
}

#[test]
fn amounts_have_a_currency() {
    check(
        Category::Money,
        &[
            "Monthly rent of «$2,150» is due",
            "the fee is «USD 1,250,000.00», payable",
            "Kupní cena činí «1 850 000 Kč». Dále",
            "Total «£79,606.21»\n",
            "«EUR 47,320.50». Remit",
            "etwa «1.200,50 €» brutto",
            "«3.5 million euros», «$5M», «€ 20 Mio».",
            "«₹1,20,000»",
            "«US$40» or «R$ 35,90»",
            "«12 dollars» and «CHF 20.-»",
            "$1 is the first argument, $2 the next",
            "5 m long, 4kg",
            "a fine of «five thousand dollars»",
            "a salary of «85k», income: «72000», pay 3",
            "she weighs 160 pounds, lost «20 pounds» at poker",
            "echo $HOME 42 USDT",
        ],
    );
}

#[test]
fn dates_stand_by_themselves() {
    check(
        Category::Date,
        &[
            "dated «February 12, 2025» by",
            "vom «12. Februar 2025» bis",
            "Date: «2023-09-11»\n",
            "on «12/03/2026», «12.3.2026»; «3 de marzo de 2024»",
            "en «septiembre de 2005» y «mayo 2006», founded in «1977».",
            "the Act of «2001» and port 2020, Contract 2026-08-10.docx",
            "On «2007-01-17 23:08:55», Tue, 3 Mar 2026 09:52:11 +0100",
            "2025-08-03T00:51:25.815Z\n2025-08-03 10:22:01 x",
            "1.2.3 and 10.0.0.1, backup-2024-01-02-full",
            "is a «2017» Polish film, a 2000 Watt lamp, a 2048 bit key",
            "Entre «2001» y «2005», between 10 and 2005 items, zwischen «1999» und «2003»",
            "the civil rights act of «1985», a batch of 2000 rows",
            "Consulta en «junio» por tos, since «March», it may march on",
            "We'll meet «Monday» at noon, on «Friday», Black Friday, Sunday Times",
            "Fecha de Ingreso:«20/12/2017». at:2017-12-20T10:00",
            "en «1993» y «1994», el año «2009» y de «Marzo» a «Mayo del 2000»",
        ],
    );
}

#[test]
fn web_addresses_end_with_their_sentence() {
    check(
        Category::Url,
        &[
            "see «https://www.example.org/u/marie?x=1».",
            "(«http://example.org/a_(b)») and \"«ftp://example.org/x»\"",
            "«www.example.org/page», too",
            "std::fmt://x and www alone, file:///tmp/x",
        ],
    );
}

#[test]
fn accounts_stand_in_folders_logs_and_messages() {
    check(
        Category::Username,
        &[
            "File \"/home/«wharper»/app/venv/lib.py\"",
            "C:\\Users\\«mdubois»\\Desktop and /Users/«marie.d»/x",
            "Failed password for invalid user «bolina» from 203.0.113.5",
            "Accepted publickey for «yvonne.hogberg» from 203.0.113.4",
            "sudo:  «elsa77» : TTY=pts/0 ; PWD=/home/«elsa77» ; USER=root",
            "Thanks for the hint. cc @«gnatza»",
            "mail marie@example.org, import @types/node, @media (min-width)",
            "\n@property\ndef x(self):\n    @cached\n",
            "/home/root/x ~/bin and /users/list",
        ],
    );
}

#[test]
fn bodies_have_weights_and_people_have_genders() {
    check(
        Category::Weight,
        &[
            "weighs «72.5 kg», was 80",
            "Gewicht: «80 kg»",
            "a parcel of 5 kg",
            "lost «12 pounds»",
            "weighs «70-75 kg», «11 stone 4» or «11st4»",
            "lost 20 pounds at poker",
            "I'm «72 kg», the box is 5 kg",
            "she weighs between «70 and 75 kg», he went from «90 kg» to «75 kg»",
            "weighed «7 lb 4 oz», weight «8 lbs 2 ounces»; the crate went from 90 kg to 75 kg",
        ],
    );
    check(
        Category::Gender,
        &[
            "«female», 40",
            "Paciente «varón» de 47 años",
            "a «man» and a «boy»",
            "malefactor mandate",
            "a female connector",
        ],
    );
}

#[test]
fn terms_of_medicine_are_found_in_many_languages() {
    check(
        Category::Medical,
        &[
            "a woman with «Parkinson's disease» and «Crohn’s disease», on metformin",
            "diagnosed with «type 1 diabetes», «HIV infection» ruled out",
            "Der Patient leidet an «Bluthochdruck» und «Asthma».",
            "antecedentes de «hipertensión arterial»",
            "patient had a «stroke» in 2019",
            "diagnosis «E11.9», and so on",
            "a stroke of luck, a cold start, anxiety_level = 3",
            "stack overflow, memory shock, plan b",
            "history of «non-Hodgkin lymphoma»",
            "elle a de l'«asthme» et un «diabète de type 2»; un «esguince»; eine «Platzwunde»",
            "a «fractured ulna», a «torn ligament»; Die Frau ist 45, die Patientin ist da",
            "«12 weeks pregnant», «enceinte de 12 semaines», 12 weeks later",
            "hat «Diabetes mellitus Typ 2», diagnosticada de «depresión»",
        ],
    );
}

#[test]
fn places_need_more_than_the_gazetteer() {
    check(
        Category::Location,
        &[
            "She lives in «Lyon», near «Saint-Étienne».",
            "born in «Austin», TX",
            "Wir fahren nach «München» und weiter.",
            "moved to «Germany», then «France»",
            "Reading is fun. Nice work, Mobile team.",
            "Victoria wrote about Florence.",
            "wrote to Alice Johnson, moved to «Boston» in March",
        ],
    );
}
