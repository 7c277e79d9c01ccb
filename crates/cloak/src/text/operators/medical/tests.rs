use super::super::{Choice, Replacement, Spot, What};
use super::cloak;
use crate::text::field::Field;
use crate::text::profile::{MedicalDetail, MedicalOption, Profile, PromptLanguage};
use crate::text::session::TextSession;
use crate::text::today::Today;
use cloakgate_vocab::{Category, Span};

/// The text with its marked term as the operator shows it.
fn shown(marked: &str, category: Category, profile: &Profile) -> String {
    let (head, rest) = marked.split_once('«').unwrap();
    let (value, tail) = rest.split_once('»').unwrap();
    let text = format!("{head}{value}{tail}");
    let span = Span::sized(head.len(), value.len());
    let spot = Spot { text: &text, span, value, what: What::Found(category), field: Field::Medical };
    let choice = Choice::new(profile, Today::new(2026, 12, 1).unwrap(), &text);
    let Some(Replacement { span, text: shown, .. }) =
        cloak(&spot, &choice, &mut TextSession::new([1; 32])).unwrap()
    else {
        return text;
    };
    format!("{}{shown}{}", text.get(..span.start()).unwrap(), text.get(span.end()..).unwrap())
}

fn with(option: MedicalOption) -> Profile {
    Profile { medical_condition: option, ..Profile::default() }
}

#[test]
fn terms_are_shown_by_group_mask_and_placeholder() {
    for (marked, group, placeholder) in [
        ("has «Type 1 Diabetes»", "has chronic illness", "has {{MEDICAL_CONDITION}}"),
        ("«HTN», asthma", "chronic illness, asthma", "{{MEDICAL_CONDITION}}, asthma"),
        ("HTN, «asthma»", "HTN, chronic illness", "HTN, {{MEDICAL_CONDITION}}"),
        ("stage II «breast cancer»", "cancer", "{{MEDICAL_CONDITION}}"),
        ("is «HIV positive»", "is chronic illness", "is {{MEDICAL_CONDITION}}"),
        ("«major depressive disorder»", "mental health condition", "{{MEDICAL_CONDITION}}"),
        ("a «broken wrist»", "an injury", "a {{MEDICAL_CONDITION}}"),
        ("no history of «cancer»", "no history of cancer", "no history of {{MEDICAL_CONDITION}}"),
        ("code «E11.9»", "code chronic illness", "code {{MEDICAL_CODE}}"),
        ("code «J18.9»", "code acute illness", "code {{MEDICAL_CODE}}"),
        ("code «A54.9»", "code infection", "code {{MEDICAL_CODE}}"),
        ("code «B20»", "code chronic illness", "code {{MEDICAL_CODE}}"),
        ("code «O03.9»", "code medical condition", "code {{MEDICAL_CODE}}"),
        ("with «syphilis»", "with infection", "with {{MEDICAL_CONDITION}}"),
        ("the «flu»", "the acute illness", "the {{MEDICAL_CONDITION}}"),
        ("an «unheard-of ailment»", "a medical condition", "an {{MEDICAL_CONDITION}}"),
    ] {
        let term = Category::Medical;
        assert_eq!(shown(marked, term, &with(MedicalOption::Group)), group);
        assert_eq!(shown(marked, term, &with(MedicalOption::Placeholder)), placeholder);
        let masked = shown(marked, term, &with(MedicalOption::Mask));
        assert_eq!(
            masked,
            placeholder.replace("{{MEDICAL_CONDITION}}", "*****").replace("{{MEDICAL_CODE}}", "*****")
        );
        assert_eq!(shown(marked, term, &with(MedicalOption::Keep)), marked.replace(['«', '»'], ""));
    }
    for (marked, group) in [
        ("takes «metformin» 20 mg", "takes medication 20 mg"),
        ("takes «insulin»", "takes medication"),
        ("an «MRI scan»", "a medical test"),
        ("after «appendectomy»", "after medical procedure"),
        ("takes «brandnewdrug»", "takes medication"),
    ] {
        assert_eq!(shown(marked, Category::Medication, &with(MedicalOption::Group)), group);
        assert!(
            shown(marked, Category::Medication, &with(MedicalOption::Placeholder)).contains("{{MEDICATION}}")
        );
    }
}

#[test]
fn labels_are_in_the_language_of_the_text() {
    let profile = with(MedicalOption::Group);
    for (marked, expected) in [
        (
            "Elle est suivie pour un «diabète de type 2» depuis dix ans",
            "Elle est suivie pour un maladie chronique depuis dix ans",
        ),
        (
            "Der Patient ist nicht gesund und hat «Asthma»",
            "Der Patient ist nicht gesund und hat chronische Krankheit",
        ),
        ("El paciente tiene «cáncer» y no es joven", "El paciente tiene cáncer y no es joven"),
    ] {
        assert_eq!(shown(marked, Category::Medical, &profile), expected);
    }
    let english = Profile { prompt_language: PromptLanguage::English, ..with(MedicalOption::Group) };
    let marked = "Elle est suivie pour un «diabète de type 2» depuis dix ans";
    assert!(shown(marked, Category::Medical, &english).contains("chronic illness"));
}

#[test]
fn the_part_of_the_body_may_be_told() {
    let profile = Profile { medical_detail: MedicalDetail::BodySystem, ..with(MedicalOption::Group) };
    for (marked, expected) in [
        ("has «asthma»", "has chronic breathing condition"),
        ("has «pneumonia»", "has respiratory illness"),
        ("has «HIV»", "has chronic illness"),
        ("has «gonorrhea»", "has infection"),
        ("code «I10»", "code chronic heart or circulation condition"),
    ] {
        assert_eq!(shown(marked, Category::Medical, &profile), expected);
    }
}
